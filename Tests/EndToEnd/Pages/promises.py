"""A list of promises, and the world in which each is kept or broken."""

import json

PROMISES = []


def promise(text, is_about_delivery=False):
    """One sentence that a check proves; some need an engine that delivers reports, and a service that tells of them."""
    def register(check):
        PROMISES.append((text, check, is_about_delivery))
        return check
    return register


class World:
    """One engine, one service, one vendor stub; a fresh view for every page opened."""

    pages = {"chat": "talkdesk-chat-bridge.html", "assistant": "smart_assistant.html", "chirp": "chirp.html"}
    bridges = {"chat": "talkdesk", "assistant": "smart-assistant"}

    def __init__(self, engine, service, base, public, vendor, proxy, bundle):
        self.engine = engine
        self.service = service
        self.base = base
        self.public = public
        self.vendor = vendor
        self.proxy = proxy
        self._bundle = bundle
        self._views = []

    def open(self, tenant, *native, wait_for_load=True):
        page = self.pages[tenant.split("-")[0]]
        return self._keep(self.engine.open("%s/%s/%s" % (self.base, tenant, page), native, wait_for_load))

    def open_at(self, host, tenant, *native):
        """A page as one of the stub's hosts passes it on: with an attacker's markup, or with other fields."""
        page = self.pages[tenant.split("-")[0]]
        return self._keep(self.engine.open("https://%s/%s/%s" % (host, tenant, page), native))

    def open_from_disk(self, page, *native):
        return self._keep(self.engine.open("file://%s/%s" % (self.public, page), native))

    def open_variant(self, page, data, *native):
        """A page on disk with its data block filled, for what no tenant of the service can have."""
        with open("%s/%s" % (self.public, page), encoding="utf-8") as file:
            text = file.read()
        with open("%s/variant-%s" % (self.public, page), "w", encoding="utf-8") as file:
            file.write(text.replace('id="bridge-config">{}<', 'id="bridge-config">%s<' % json.dumps(data)))
        return self.open_from_disk("variant-" + page, *native)

    def open_bundle(self, tenant, *native):
        """The tenant's page as the one file that an app ships, opened from disk."""
        name = "bundle-%s.html" % tenant
        with open("%s/%s" % (self.public, name), "wb") as file:
            file.write(self._bundle(tenant, self.bridges[tenant.split("-")[0]]))
        return self.open_from_disk(name, *native)

    def _keep(self, view):
        self._views.append(view)
        return view

    def close_views(self):
        while self._views:
            self._views.pop().close()


def expect(found, wanted, what):
    assert found == wanted, "%s: found %r, expected %r" % (what, found, wanted)


def expect_in(part, whole, what):
    assert part in whole, "%s: %r is not in %r" % (what, part, whole)
