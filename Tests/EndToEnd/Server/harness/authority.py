"""A small certificate authority made by openssl: a root, an intermediate, and leaves as good or as bad as a promise asks."""
import time

from .tools import openssl

CONFIG = """
[ca]
default_ca = one
[one]
dir = {folder}
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
unique_subject = no
policy = names
[names]
commonName = supplied
[req]
distinguished_name = none
prompt = no
[none]
"""
ROOT = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n"
MIDDLE = {"basicConstraints": "critical,CA:TRUE,pathlen:0", "keyUsage": "critical,keyCertSign,cRLSign",
          "subjectKeyIdentifier": "hash", "authorityKeyIdentifier": "keyid"}
LEAF = {"basicConstraints": "critical,CA:FALSE", "keyUsage": "critical,digitalSignature", "extendedKeyUsage": "serverAuth",
        "subjectKeyIdentifier": "hash", "authorityKeyIdentifier": "keyid",
        "subjectAltName": "DNS:localhost,DNS:pages.example,IP:127.0.0.1"}
P256, RSA = "EC -pkeyopt ec_paramgen_curve:P-256", "RSA -pkeyopt rsa_keygen_bits:2048"
DAY = 86_400


def must(*arguments):
    ended = openssl(*arguments)
    if ended.status != 0:
        raise AssertionError(f"openssl {arguments[0]}: {ended.text}")


def moment(days):
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * DAY))


def text(extensions):
    return "".join(f"{key}={value}\n" for key, value in extensions.items() if value is not None)


class Authority:
    def __init__(self, folder, digest="sha256"):
        self.folder = folder
        folder.mkdir()
        (folder / "index.txt").touch()
        (folder / "ca.cnf").write_text(CONFIG.format(folder=folder))
        self._issue("root", P256, ROOT, None, -1, 3_650, "sha256")
        self.middle("middle", digest=digest)
        self.root = folder / "root.pem"

    def pem(self, name):
        return (self.folder / f"{name}.pem").read_text()

    def middle(self, name, issuer="root", start=-1, days=1_826, digest="sha256", subject=None, **changes):
        """An intermediate, as good or as bad; its name."""
        self._issue(name, P256, text({**MIDDLE, **changes}), issuer, start, start + days, digest, subject)
        return name

    def under(self, name, *middles, **options):
        """A leaf of the first intermediate, and the rest of the chain."""
        return self.leaf(name, issuer=middles[0], chain=middles, **options)

    def _issue(self, name, key, extensions, issuer, start, end, digest, subject=None):
        at = self.folder
        (at / f"{name}.ext").write_text(extensions)
        must("genpkey", "-algorithm", *key.split(), "-out", at / f"{name}.key")
        must("req", "-new", "-key", at / f"{name}.key", "-subj", f"/CN=bridgehost test {subject or name}", "-out", at / f"{name}.csr",
             "-config", at / "ca.cnf")
        sign = ["-selfsign", "-keyfile", at / f"{name}.key"] if issuer is None else [
            "-cert", at / f"{issuer}.pem", "-keyfile", at / f"{issuer}.key"]
        must("ca", "-batch", "-notext", "-config", at / "ca.cnf", "-in", at / f"{name}.csr", "-out", at / f"{name}.pem",
             "-extfile", at / f"{name}.ext", "-startdate", moment(start), "-enddate", moment(end), "-md", digest, *sign)

    def leaf(self, name, key=P256, start=-1, days=90, digest="sha256", chain=("middle",), issuer="middle", **changes):
        """The files of a leaf with its chain, valid from `start` days from now for `days`; None leaves an extension out."""
        if issuer is None:
            changes["authorityKeyIdentifier"] = None
        self._issue(name, key, text({**LEAF, **changes}), issuer, start, start + days, digest)
        file = self.folder / f"{name}.chain.pem"
        file.write_text("".join(map(self.pem, [name, *chain])))
        return {"chain": str(file), "key": str(self.folder / f"{name}.key")}
