// Plays the app around a page that the inspector shows: gives it a native bridge, calls what it offers, and tells the
// inspector what happens. It stands before all other scripts of the page; outside of the inspector it does nothing.
(function () {
  'use strict';

  const settings = window.frameElement && window.frameElement.dataset.app;
  if (!settings) return;
  const app = JSON.parse(settings);
  const names = app.native || {};
  const ownBefore = new Set(Object.getOwnPropertyNames(window));
  let hasToldGlobals = false;
  let line = '';

  function tell(kind, detail) {
    const at = performance.timeOrigin + performance.now();
    window.parent.postMessage(Object.assign({ from: 'inspect-app', kind, at }, detail), location.origin);
  }

  function describe(value) {
    try {
      return String((value && value.message) || value);
    } catch (_) {
      return 'a value that cannot be printed';
    }
  }

  // The native bridge, as each platform has it

  function parse(text) {
    try {
      return JSON.parse(text);
    } catch (_) {
      return text;
    }
  }

  // What an app could not take is refused here too: copying to the inspector throws as a real handler does.
  function receive(body) {
    const event = typeof body === 'string' ? parse(body) : body;
    const isEvent = typeof event === 'object' && event !== null && typeof event.type === 'string';
    tell('event', isEvent ? { type: event.type, payload: event.payload, timestamp: event.timestamp } : { type: String(event) });
  }

  // Before that, nobody in the page listens.
  function whenLoaded(action) {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', action);
    else action();
  }

  function channel(name) {
    return name && { name: 'window.' + name, install: () => { window[name] = { postMessage: receive }; } };
  }

  const platforms = {
    'ios': () => names.handler && {
      name: 'window.webkit.messageHandlers.' + names.handler,
      install: () => { window.webkit = { messageHandlers: { [names.handler]: { postMessage: receive } } }; },
    },
    'android': () => names.android && {
      name: 'window.' + names.android.object + '.' + names.android.method,
      install: () => {
        const call = (...values) => receive(values.length > 0 ? values[0] : names.android.method);
        window[names.android.object] = { [names.android.method]: call };
      },
    },
    'androidx': () => channel(names.handler),
    'react-native': () => channel('ReactNativeWebView'),
    'flutter': () => channel(names.flutter),
    'inappwebview': () => ({
      name: 'window.flutter_inappwebview, handler ' + (names.flutter || names.handler),
      install: () => {
        window.flutter_inappwebview = { callHandler: (_, body) => { receive(body); return Promise.resolve(null); } };
        whenLoaded(() => window.dispatchEvent(new Event('flutterInAppWebViewPlatformReady')));
      },
    }),
    'none': () => null,
  };

  function install(bridge) {
    // First, since events that waited for it come at once.
    tell('bridge', { name: bridge.name });
    bridge.install();
  }

  function playApp() {
    const bridge = platforms[app.platform]();
    if (!bridge) return tell('no-bridge', { platform: app.platform });
    if (app.delay === 0) return install(bridge);
    setTimeout(() => install(bridge), app.delay);
    return tell('bridge-later', { name: bridge.name, delay: app.delay });
  }

  // What the page offers to the app: the functions that its own scripts put into the window

  function tellGlobals() {
    if (hasToldGlobals) return;
    hasToldGlobals = true;
    const added = Object.getOwnPropertyNames(window).filter(name => !ownBefore.has(name) && typeof window[name] === 'function');
    tell('globals', { globals: added.map(name => ({ name, takes: window[name].length })) });
  }

  function call(name, values) {
    tell('call', { name, values });
    try {
      const value = window[name](...values);
      tell('answer', { name, value: value === undefined ? 'undefined' : describe(value) });
    } catch (error) {
      tell('answer', { name, problem: describe(error) });
    }
  }

  window.addEventListener('message', event => {
    if (event.source !== window.parent || event.origin !== location.origin) return;
    if (event.data && event.data.to === 'inspect-app') call(event.data.name, event.data.values);
  });

  // What happens in the page

  function tellLine() {
    const element = document.getElementById('bridge-status');
    const text = element && element.textContent;
    if (typeof text !== 'string' || text === line) return;
    line = text;
    tell('line', { text });
  }

  function watchTree(records) {
    for (const record of records) {
      for (const node of record.addedNodes) {
        if (node.nodeName === 'SCRIPT' && node.src) {
          tellGlobals();
          tell('requested', { url: node.src });
        }
      }
    }
    tellLine();
  }

  function watchConsole(level) {
    const original = console[level];
    console[level] = (...values) => {
      tell('console', { level, message: values.map(describe).join(' ') });
      original.apply(console, values);
    };
  }

  document.addEventListener('securitypolicyviolation', event => tell('violation', {
    directive: event.effectiveDirective,
    blocked: event.blockedURI,
    isTried: event.disposition === 'report',
    place: event.sourceFile ? event.sourceFile + ':' + event.lineNumber : '',
  }));
  document.addEventListener('load', event => {
    if (event.target.nodeName === 'SCRIPT') tell('loaded', { url: event.target.src });
  }, true);
  window.addEventListener('error', event => {
    const element = event.target;
    if (element === window) tell('exception', { message: event.message, place: event.filename + ':' + event.lineno });
    else tell('failed', { element: element.nodeName.toLowerCase(), url: element.src || element.href || '' });
  }, true);
  window.addEventListener('unhandledrejection', event => tell('exception', { message: describe(event.reason), place: '' }));
  whenLoaded(() => {
    tellGlobals();
    tellLine();
    tell('document', { title: document.title });
  });
  watchConsole('warn');
  watchConsole('error');
  new MutationObserver(watchTree).observe(document, { childList: true, subtree: true });
  playApp();
})();
