"""Volumes as a kubelet lays them, made from rendered objects."""
import base64
import itertools
import os
import shutil

NUMBERS = itertools.count(1)


class Volume:
    """A folder whose files are links by way of `..data`, so that one rename changes all of them."""

    def __init__(self, folder, files, mode=0o644, owner=None):
        self.folder, self.mode, self.owner = folder, mode, owner
        folder.mkdir(parents=True)
        self.write(files)

    def write(self, files):
        """The files by name; what was there before is gone after the swap."""
        before = os.readlink(self.folder / "..data") if os.path.lexists(self.folder / "..data") else None
        made = self.folder / f"..2026_11_30_12_00_00.{next(NUMBERS)}"
        made.mkdir()
        for name, content in files.items():
            (made / name).write_bytes(content)
            (made / name).chmod(self.mode)
            if self.owner:
                os.chown(made / name, *self.owner)
        (self.folder / "..data_tmp").symlink_to(made.name)
        (self.folder / "..data_tmp").rename(self.folder / "..data")
        for name in files:
            if not os.path.lexists(self.folder / name):
                (self.folder / name).symlink_to(f"..data/{name}")
        for path in self.folder.iterdir():
            if not path.name.startswith("..") and path.name not in files:
                path.unlink()
        if before:
            shutil.rmtree(self.folder / before)


class Cluster:
    """Rendered objects, asked by kind and name."""

    def __init__(self, documents):
        self.documents = [document for document in documents if document]

    def all(self, kind):
        return [document for document in self.documents if document["kind"] == kind]

    def one(self, kind, name=None):
        found = [one for one in self.all(kind) if name in (None, one["metadata"]["name"])]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} of {kind} {name or ''}, expected one")
        return found[0]

    def pod(self):
        return self.one("Deployment")["spec"]["template"]

    def container(self):
        (container,) = self.pod()["spec"]["containers"]
        return container

    def environment(self):
        """What the container's variables are."""
        return {name: value for source in self.container()["envFrom"]
                for name, value in self.one("ConfigMap", source["configMapRef"]["name"])["data"].items()}

    def files(self, volume):
        """What a volume of the pod holds: the files by name, and their mode."""
        if "secret" in volume:
            secret = self.one("Secret", volume["secret"]["secretName"])
            return {name: base64.b64decode(value) for name, value in secret["data"].items()}, volume["secret"]["defaultMode"]
        files = {}
        for source in volume["projected"]["sources"]:
            for name, text in self.one("ConfigMap", source["configMap"]["name"])["data"].items():
                if name in files:
                    raise AssertionError(f"two sources of one volume have {name}")
                files[name] = text.encode()
        return files, volume["projected"].get("defaultMode", 0o644)

    def lay(self, folder, owner=None):
        """Lays every volume of the pod under a folder, at the path where the container has it; the volumes by name."""
        places = {mount["name"]: mount["mountPath"] for mount in self.container()["volumeMounts"]}
        laid = {}
        for volume in self.pod()["spec"]["volumes"]:
            files, mode = self.files(volume)
            laid[volume["name"]] = Volume(folder / places[volume["name"]].lstrip("/"), files, mode, owner)
        return laid
