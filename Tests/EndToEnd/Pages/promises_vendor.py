"""A vendor that nobody programmed: two files, and everything that the others have."""

import json

from promises import expect, expect_in, promise
from promises_policy import violations
from tenants import NOTICE


@promise("vendor: a made-up vendor's page starts, with the tenant's values and the app's, and passes its policy")
def starts(world):
    view = world.open("chirp", "ios-chirp")
    expect(view.evaluate("window.startChirp({ tune: 'warble', room: 'other' })"), None, "the call's value")
    view.event("chirpReady")
    view.evaluate("__chirp.sing('fa'); undefined")
    expect(view.event("chirp")["payload"], {"note": "fa"}, "payload")
    expect(view.types(), ["warning", "chirpReady", "chirp"], "events")
    expect(view.value("[__chirp.room, __chirp.tune]"), ["aviary", "warble"], "values")
    expect(view.violations(), [], "violations")
    expect(view.console_errors(), [], "console errors")


@promise("vendor: its own names count on Android and Flutter, also when they appear late")
def own_names(world):
    for native, via in (("android-chirp", "android"), ("channel-chirp", "channel")):
        view = world.open("chirp")
        view.evaluate("window.startChirp()")
        view.until("window.__chirp", "the script")
        view.install_late(native)
        view.event("chirpReady")
        calls = view.calls()
        expect([(call["via"], call["count"], json.loads(call["body"])["type"]) for call in calls],
               [(via, 1, "chirpReady")], "calls")


@promise("vendor: a made-up vendor's failure is one error, its kill switch shows the notice")
def fails(world):
    view = world.open("chirp-404", "ios-chirp")
    view.evaluate("window.startChirp()")
    expect_in("Chirp: the script could not be loaded", view.event("error")["payload"]["message"], "message")
    view = world.open("chirp-disabled", "ios-chirp")
    expect(view.line(), NOTICE, "the page's line")
    view.evaluate("window.startChirp()")
    view.event("error")
    view.settle()
    expect(view.types(), ["error"], "events")


@promise("vendor: what its two files do not allow is blocked")
def blocks(world):
    view = world.open("chirp", "ios-chirp")
    view.evaluate("fetch('https://extra.example/').catch(() => {}); new Image().src = 'https://extra.example/p.svg'; undefined")
    view.until("__app.violations.length === 2", "the violations")
    expect(violations(view), [("connect-src", "https://extra.example"), ("img-src", "https://extra.example")], "violations")
