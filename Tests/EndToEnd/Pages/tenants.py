"""The tenants of the run: one per way in which a page can be configured or its vendor can fail."""

TALKDESK_SDK = "https://talkdeskchatsdk.talkdeskapp.com/v2/talkdeskchatsdk.js"
LAUNCHER = "https://sa-media.usizy.es/smart-assistant/launcher.js"
TOUCHPOINT = "0123456789abcdef0123456789abcdef"


def _talkdesk(failure=None, settings=None, **entry):
    values = {"touchpointId": TOUCHPOINT, "region": "td-us-1", "languageCode": "en-US"}
    if failure:
        values["scriptURL"] = TALKDESK_SDK + "?do=" + failure
    values.update(settings or {})
    return {"bridges": {"talkdesk": dict(entry, settings=values)}}


def _assistant(failure=None, settings=None, **entry):
    values = {"apiKey": "key-1", "language": "en", "opened": True, "hideMinimize": True}
    if failure:
        values["scriptURL"] = LAUNCHER + "?do=" + failure
    values.update(settings or {})
    return {"bridges": {"smart-assistant": dict(entry, settings=values)}}


def _chirp(settings=None, **entry):
    return {"bridges": {"chirp": dict(entry, settings={"room": "aviary", **(settings or {})})}}


NOTICE = "Closed <b>until</b> Monday & Tuesday \u2028 </script>"

TENANTS = {
    "chat": _talkdesk(),
    "chat-auto": _talkdesk(autoStart=True),
    "chat-arabic": _talkdesk(settings={"languageCode": "ar-SA"}),
    "chat-disabled": _talkdesk(enabled=False),
    "chat-notice": _talkdesk(enabled=False, notice=NOTICE),
    "chat-404": _talkdesk("404"),
    "chat-404-once": _talkdesk("404-once"),
    "chat-drop": _talkdesk("drop"),
    "chat-hang": _talkdesk("hang", startTimeoutSeconds=1),
    "chat-no-global": _talkdesk("no-global"),
    "chat-script-throw": _talkdesk("script-throw"),
    "chat-init-false": _talkdesk("init-false"),
    "chat-init-reject": _talkdesk("init-reject"),
    "chat-init-throw": _talkdesk("init-throw"),
    "chat-init-pending": _talkdesk("init-pending"),
    "chat-init-timeout": _talkdesk("init-pending", startTimeoutSeconds=1),
    "chat-crash-early": _talkdesk("crash-early"),
    "chat-open-throw": _talkdesk("open-throw"),
    "chat-quick": _talkdesk(startTimeoutSeconds=1),
    "chat-quick-404": _talkdesk("404", startTimeoutSeconds=1),
    "chat-late": _talkdesk("late", startTimeoutSeconds=1),
    "chat-parts": _talkdesk("parts", settings={"receiveMessageAudioURL": "https://extra.example/message.wav"}),
    "chat-told": _talkdesk(reportViolations=True),
    "chat-tried": _talkdesk(policy={"img-src": ["https://extra.example"]}, reportOnly={"img-src": []}, reportViolations=True),
    "chat-switched": _talkdesk(),
    "chat-framed": _talkdesk("framed", autoStart=True),
    "assistant": _assistant(),
    "assistant-bare": _assistant(settings={"opened": False, "hideMinimize": False, "language": "es"}),
    "assistant-disabled": _assistant(enabled=False, notice=NOTICE),
    "assistant-404": _assistant("404"),
    "assistant-drop": _assistant("drop"),
    "assistant-parts": _assistant("parts"),
    "assistant-hang": _assistant("hang", startTimeoutSeconds=1),
    "assistant-undefined": _assistant("undefined", startTimeoutSeconds=1),
    "assistant-throw": _assistant("throw", startTimeoutSeconds=1),
    "chirp": _chirp(),
    "chirp-404": _chirp({"scriptURL": "https://chirp.example/chirp.js?do=404"}),
    "chirp-disabled": _chirp(enabled=False, notice=NOTICE),
}


def switched_off():
    return _talkdesk(enabled=False, notice=NOTICE)

