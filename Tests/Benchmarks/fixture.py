"""The files that both servers serve: bridgehost's configuration, and nginx's with the same bytes and fields."""

import json
import os
import shutil
import subprocess

PAGE = "talkdesk-chat-bridge.html"
TENANTS = 1_000
ONLY = "t0000"
PATH = f"/{ONLY}/{PAGE}"

# What a page of some 3 KB looks like once its tenant's data is in it; for comparison with earlier figures.
SMALL_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Chat</title>
<script type="application/json" id="bridge-config">{}</script>
</head>
<body>
<p>%s</p>
</body>
</html>
""" % ("A page of the size that was measured before there was a script in it. " * 30)


def certificate(folder):
    """A self-signed ECDSA P-256 certificate for localhost; the paths of chain and key."""
    chain, key = os.path.join(folder, "chain.pem"), os.path.join(folder, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", key, "-out", chain],
        check=True, capture_output=True)
    return chain, key


def bridgehost_files(repository, folder, tenants, chain, key, page_size):
    """A config and a public folder: the shipped bridges, one tenant with all of them or many with the page alone."""
    config, public = os.path.join(folder, "config"), os.path.join(folder, "public")
    shutil.copytree(os.path.join(repository, "config/bridges"), os.path.join(config, "bridges"))
    shutil.copytree(os.path.join(repository, "public"), public)
    if page_size == "small":
        write(os.path.join(public, PAGE), SMALL_PAGE.encode())
    os.mkdir(os.path.join(config, "tenants"))
    tenant = json.load(open(os.path.join(repository, "config/tenants/demo.json")))
    tenant.pop("$schema", None)
    if tenants > 1:
        tenant["bridges"] = {"talkdesk": tenant["bridges"]["talkdesk"]}
    for name in names(tenants):
        write(os.path.join(config, "tenants", name + ".json"), json.dumps(tenant).encode())
    server = {
        "listeners": [{"address": "127.0.0.1", "port": 0, "tls": tls} for tls in (True, False)],
        "certificates": [{"chain": chain, "key": key}],
        "workers": 1,
    }
    write(os.path.join(config, "server.json"), json.dumps(server).encode())
    return config, public


def names(tenants):
    """The tenants' names, all equally long, so that all pages are."""
    return [ONLY] if tenants == 1 else ["t%04d" % index for index in range(1, tenants + 1)]


# Both choose these for themselves: the time, the framing, the server's name and its own form of entity tag.
OWN_FIELDS = {"date", "content-length", "content-type", "connection", "server", "etag", "content-encoding"}


def nginx_config(folder, root, ports, faces, chain, key):
    """nginx at its best here; `faces` are the answers of bridgehost's TLS and plain listener, to take fields from."""
    servers = "".join(
        nginx_server(root, port, face, (chain, key) if secure else None)
        for secure, port, face in zip((True, False), ports, faces))
    user = "user root;" if os.geteuid() == 0 else ""
    text = f"""
daemon off; {user} worker_processes 1; worker_rlimit_nofile 20000;
pid {folder}/nginx.pid; error_log stderr warn;
events {{ worker_connections 8192; multi_accept on; }}
http {{
    access_log off; server_tokens off; sendfile off; tcp_nodelay on; etag on; types {{ }}
    keepalive_timeout 300s; keepalive_requests 1000000000; reset_timedout_connection on;
    open_file_cache max=4000 inactive=300s; open_file_cache_valid 300s; open_file_cache_min_uses 1;
    gzip_static on; gzip_vary off; max_ranges 0; output_buffers 2 64k;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{servers}}}
"""
    path = os.path.join(folder, "nginx.conf")
    write(path, text.encode())
    return path


def nginx_server(root, port, face, files):
    fields = "".join(
        "        add_header %s '%s' always;\n" % (name, value.replace("\\", "\\\\").replace("'", "\\'"))
        for name, value in face.fields if name.lower() not in OWN_FIELDS | {"x-request-id"})
    fields += "        add_header X-Request-ID $request_id always;\n"
    tls = ""
    if files:
        tls = (f"ssl_certificate {files[0]}; ssl_certificate_key {files[1]};"
               " ssl_protocols TLSv1.2 TLSv1.3; ssl_ecdh_curve X25519:prime256v1;"
               " ssl_prefer_server_ciphers on; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;")
    return f"""    server {{
        listen 127.0.0.1:{port}{' ssl' if files else ''}; server_name localhost; root {root}; {tls}
        default_type '{face.field("content-type")}';
        add_header Last-Modified '';
{fields}    }}
"""


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
