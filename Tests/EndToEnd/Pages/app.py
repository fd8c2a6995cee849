"""The app's side of a page: what each platform puts into `window`, recorded call by call.

WebKit has the real iOS object; every other one is played by a script that runs before the page's.
"""

IOS_HANDLERS = {"ios": "sdkEvent", "ios-assistant": "smartAssistantClose", "ios-chirp": "chirpEvent"}

RECORDER = """
window.__app = window.__app || { calls: [], violations: [] };
__app.record = __app.record || ((via, values) => __app.calls.push({
  via, count: values.length, type: typeof values[0],
  body: values.length ? JSON.parse(JSON.stringify(values[values.length - 1])) : null,
}));
if (!__app.listens) {
  __app.listens = true;
  document.addEventListener('securitypolicyviolation', event =>
    __app.violations.push(event.effectiveDirective + ' ' + event.blockedURI));
}
"""

# `structuredClone` throws for what a real handler would not take.
_EMULATED_IOS = """
window.webkit = { messageHandlers: { NAME: {
  postMessage(...values) { values.forEach(value => structuredClone(value)); __app.record('ios', values); } } } };
"""

OBJECTS = {
    **{kind: _EMULATED_IOS.replace("NAME", name) for kind, name in IOS_HANDLERS.items()},
    "android": "window.Android = { postMessage(...values) { __app.record('android', values); } };",
    "android-assistant": "window.Android = { close(...values) { __app.record('android', values); } };",
    "android-chirp": "window.Chirp = { tell(...values) { __app.record('android', values); } };",
    "react-native": "window.ReactNativeWebView = { postMessage(...values) { __app.record('react-native', values); } };",
    "channel": "window.sdkEvent = { postMessage(...values) { __app.record('channel', values); } };",
    "channel-assistant": "window.smartAssistantClose = { postMessage(...values) { __app.record('channel', values); } };",
    "channel-chirp": "window.chirpChannel = { postMessage(...values) { __app.record('channel', values); } };",
    "inappwebview": "window.flutter_inappwebview = { callHandler(...values) { "
                    "__app.record('inappwebview', values); return Promise.resolve(null); } };",
    "android-throwing": "window.Android = { postMessage(...values) { "
                        "__app.record('android', values); throw new Error('app is gone'); } };",
    "android-rejecting": "window.Android = { postMessage(...values) { "
                         "__app.record('android', values); return Promise.reject(new Error('app is gone')); } };",
}


def startup_script(names):
    return RECORDER + "".join(OBJECTS[name] for name in names)
