"""The two servers under measurement, each with one worker and the same pages and fields."""

import glob
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request

TENANTS = ["t%d" % number for number in range(1000)]
PAGE = "talkdesk-chat-bridge.html"
# These come from the server itself, whatever is configured.
OWN_FIELDS = {"date", "etag", "content-type", "content-length", "vary", "connection", "server", "last-modified"}


def make_certificate(directory):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", directory + "/key.pem", "-out", directory + "/chain.pem"],
        check=True, stderr=subprocess.DEVNULL)


class Server:
    """What both have: a process whose threads' CPU time can be read, and two ports."""

    process: subprocess.Popen
    plain: int
    secure: int

    def worker_processes(self):
        raise NotImplementedError

    def cpu_nanoseconds(self):
        total = 0
        for process in self.worker_processes():
            for path in glob.glob("/proc/%d/task/*/schedstat" % process):
                with open(path) as file:
                    total += int(file.read().split()[0])
        return total

    def resident_kibibytes(self):
        return sum(int(re.search(r"VmRSS:\s+(\d+)", open("/proc/%d/status" % process).read())[1])
                   for process in self.worker_processes())

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


class Bridgehost(Server):
    def __init__(self, binary, directory, root, tenants=TENANTS):
        config = directory + "/config"
        shutil.copytree(root + "/config/bridges", config + "/bridges")
        os.makedirs(config + "/tenants")
        for tenant in tenants:
            settings = {"touchpointId": "touchpoint-" + tenant, "region": "td-us-1"}
            write(config + "/tenants/%s.json" % tenant, json.dumps({"bridges": {"talkdesk": {"settings": settings}}}))
        write(config + "/server.json", json.dumps({
            "listeners": [{"address": "127.0.0.1", "port": 0}, {"address": "127.0.0.1", "port": 0, "tls": False}],
            "certificates": [{"chain": "../chain.pem", "key": "../key.pem"}],
            "publicBaseURL": "https://localhost", "workers": 1}))
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [binary, "--config", config, "--public", root + "/public"], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        ports = []
        for line in self.process.stdout:
            if line.startswith("listening "):
                ports.append(int(line.rsplit(":", 1)[1].split()[0]))
            if line.strip() == "ready":
                break
        self.secure, self.plain = ports

    def worker_processes(self):
        return [self.process.pid]


class Nginx(Server):
    """Debian's nginx as it is fastest here: no sendfile, open files and compressed files kept ready, no log."""

    def __init__(self, directory, ours):
        self.directory = directory
        self._copy_pages(ours)
        self.plain, self.secure = free_port(), free_port()
        write(directory + "/nginx.conf", self._configuration(ours))
        self.process = subprocess.Popen(
            [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-p", directory, "-c", "nginx.conf",
             "-e", "stderr"], stderr=subprocess.DEVNULL)
        wait_for_port(self.plain)

    def _copy_pages(self, ours):
        for tenant in TENANTS:
            folder = "%s/www/%s" % (self.directory, tenant)
            os.makedirs(folder)
            for suffix, coding in (("", "identity"), (".gz", "gzip")):
                request = urllib.request.Request("http://127.0.0.1:%d/%s/%s" % (ours.plain, tenant, PAGE),
                                                 headers={"Host": "localhost", "Accept-Encoding": coding})
                with urllib.request.urlopen(request) as answer:
                    write(folder + "/" + PAGE + suffix, answer.read())

    def _configuration(self, ours):
        request = urllib.request.Request("http://127.0.0.1:%d/t0/%s" % (ours.plain, PAGE), headers={"Host": "localhost"})
        with urllib.request.urlopen(request) as answer:
            fields = [(name, value) for name, value in answer.getheaders() if name.lower() not in OWN_FIELDS]
        added = "".join("add_header %s '%s' always; " % (name, value.replace("'", "\\'")) for name, value in fields)
        server = """
            server {
                listen 127.0.0.1:%d%s;
                root www;
                etag on; gzip_static on; gzip_vary on;
                %s
            }"""
        secure = added + "add_header Strict-Transport-Security 'max-age=31536000' always;"
        tls = "ssl_certificate chain.pem; ssl_certificate_key key.pem; ssl_protocols TLSv1.2 TLSv1.3; " \
              "ssl_session_cache off; ssl_ecdh_curve X25519:prime256v1;"
        return """
            %s worker_processes 1; daemon off; pid nginx.pid; error_log stderr crit;
            events { worker_connections 8192; }
            http {
                types { text/html html; } charset utf-8;
                access_log off; server_tokens off; sendfile off; tcp_nodelay on;
                keepalive_requests 1000000000; keepalive_timeout 75s;
                open_file_cache max=4000 inactive=600s; open_file_cache_valid 600s;
                client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp;
                uwsgi_temp_path tmp; scgi_temp_path tmp;
                %s
                %s
            }
        """ % ("user root;" if os.getuid() == 0 else "",
               server % (self.plain, "", added), server % (self.secure, " ssl", tls + secure))

    def worker_processes(self):
        with open("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)) as file:
            return [int(process) for process in file.read().split()]


def write(path, content):
    with open(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError("nothing listens on port %d" % port)
