"""A private authority, made anew for each run, so that no key is ever committed."""

import base64
import hashlib
import os
import socket
import ssl
import subprocess


def _openssl(*arguments, stdin=None):
    return subprocess.run(["openssl", *arguments], input=stdin, check=True, capture_output=True).stdout


class Authority:
    """One root and one leaf that names every host of the run."""

    def __init__(self, directory, hosts):
        self.root = os.path.join(directory, "root.pem")
        self.key = os.path.join(directory, "leaf.key")
        self.chain = os.path.join(directory, "chain.pem")
        root_key = os.path.join(directory, "root.key")
        request = os.path.join(directory, "leaf.csr")
        extensions = os.path.join(directory, "leaf.ext")
        leaf = os.path.join(directory, "leaf.pem")
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        _openssl("req", "-x509", *curve, "-keyout", root_key, "-out", self.root, "-days", "30",
                 "-subj", "/CN=Page tests", "-addext", "keyUsage=critical,keyCertSign")
        _openssl("req", "-new", *curve, "-keyout", self.key, "-out", request, "-subj", "/CN=" + hosts[0])
        with open(extensions, "w") as file:
            file.write("subjectAltName=" + ",".join("DNS:" + host for host in hosts) + "\n")
            file.write("extendedKeyUsage=serverAuth\nbasicConstraints=critical,CA:FALSE\n")
        _openssl("x509", "-req", "-in", request, "-CA", self.root, "-CAkey", root_key, "-CAcreateserial",
                 "-days", "30", "-out", leaf, "-extfile", extensions)
        with open(self.chain, "w") as chain:
            for part in (leaf, self.root):
                with open(part) as file:
                    chain.write(file.read())

    def server_context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain, self.key)
        return context


def verified_leaf(host, address, root):
    """The PEM certificate that `address` shows for `host`, if `root` vouches for it.

    Neither engine takes a private root, so both are told to trust exactly the leaf that passed here.
    """
    context = ssl.create_default_context(cafile=root)
    with socket.create_connection(address, timeout=5) as plain:
        with context.wrap_socket(plain, server_hostname=host) as session:
            return ssl.DER_cert_to_PEM_cert(session.getpeercert(binary_form=True))


def public_key_hash(pem):
    public_key = _openssl("x509", "-pubkey", "-noout", stdin=pem.encode())
    der = _openssl("pkey", "-pubin", "-outform", "der", stdin=public_key)
    return base64.b64encode(hashlib.sha256(der).digest()).decode()
