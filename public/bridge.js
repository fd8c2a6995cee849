// What every bridge page needs, whoever the vendor is: its configuration, the way to the native app,
// the vendor's script, and one start at a time. A page calls `bridgehost.mount(vendor)` once; the
// vendor's names, globals and calls live in the page. Kept to ES2018 for old web views.
(function () {
  'use strict';

  const QUEUE_LIMIT = 100;
  const VIOLATION_LIMIT = 20;
  const LOOKOUT_MILLISECONDS = 10000;
  const LOOKOUT_STEP_MILLISECONDS = 100;
  const DEFAULT_START_TIMEOUT_SECONDS = 30;
  const RIGHT_TO_LEFT =
    /^(ar|arc|ckb|dv|fa|he|iw|ji|ks|ps|sd|ug|ur|yi)(?!-latn\b|[a-z])|-(adlm|arab|hebr|nkoo|syrc|thaa)\b/i;

  // Values

  function own(object, key) {
    return Object.prototype.hasOwnProperty.call(object, key) ? object[key] : undefined;
  }

  function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }

  function describe(value) {
    try {
      return String((value && value.message) || value);
    } catch (_) {
      return 'a value that cannot be printed';
    }
  }

  function jsonClone(value) {
    try {
      return JSON.parse(JSON.stringify(value));
    } catch (_) {
      return undefined;
    }
  }

  // Apps read the payload as a dictionary and drop anything else, so all else becomes `{message}`.
  function toPayload(value) {
    if (value === undefined || value === null) return null;
    if (value instanceof Error || value instanceof Node || !isRecord(value)) {
      return { message: Array.isArray(value) ? JSON.stringify(jsonClone(value)) || describe(value) : describe(value) };
    }
    const clone = jsonClone(value);
    if (isRecord(clone)) return clone;
    return { message: describe(clone === undefined ? value : clone) };
  }

  // Where something is, without what could tell who asked for it; what is no address is a keyword.
  function toOrigin(address) {
    try {
      const url = new URL(address);
      return url.origin === 'null' ? url.protocol.slice(0, -1) : url.origin;
    } catch (_) {
      return address;
    }
  }

  // The page's data

  function readData() {
    try {
      const data = JSON.parse(document.getElementById('bridge-config').textContent);
      return isRecord(data) ? data : {};
    } catch (_) {
      return {};
    }
  }

  // From disk there is no tenant whose decisions must be protected: the app may then set what the
  // vendor's page allows. A served page takes that list from the server alone.
  function readPage(vendor) {
    const data = readData();
    const isServed = typeof data.tenant === 'string';
    return {
      native: data.native || vendor.native,
      config: Object.assign({}, vendor.config, data.config),
      overridable: isServed ? data.overridable || [] : vendor.overridable,
      isEnabled: data.enabled !== false,
      notice: data.notice || vendor.disabled,
      startsItself: data.autoStart === true || vendor.startsItself === true,
      reportsViolations: data.reportViolations === true,
      startTimeoutSeconds: data.startTimeoutSeconds > 0 ? data.startTimeoutSeconds : DEFAULT_START_TIMEOUT_SECONDS,
    };
  }

  function describeDocument(config, languageSetting) {
    const language = String(own(config, languageSetting) || 'en').replace(/_/g, '-');
    document.documentElement.lang = language;
    document.documentElement.dir = RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr';
    if (typeof own(config, 'title') === 'string') document.title = config.title;
  }

  function showLine(text, language) {
    const line = document.getElementById('bridge-status');
    line.textContent = text;
    line.dir = 'auto';
    if (language) line.lang = language;
    else line.removeAttribute('lang');
  }

  // The way to the app

  function method(owner, name) {
    return owner && name && typeof owner[name] === 'function' ? (...args) => owner[name](...args) : null;
  }

  function iosTransport(native) {
    const handlers = window.webkit && window.webkit.messageHandlers;
    const post = handlers && native.handler && method(handlers[native.handler], 'postMessage');
    return post && (message => post(message.body));
  }

  // A method named like the text it would carry says it all by its name, and Android finds methods by
  // their number of arguments: it is called with none.
  function androidTransport(native) {
    const android = native.android || {};
    const call = android.object && method(window[android.object], android.method);
    return call && (message => (message.text === android.method ? call() : call(message.text)));
  }

  // A Flutter channel and an AndroidX message listener look the same to a page.
  function channelTransport(native) {
    const post = [native.flutter, native.handler]
      .map(name => name && method(window[name], 'postMessage'))
      .find(Boolean);
    return post && (message => post(message.text));
  }

  function openChannel(native) {
    const queue = [];
    let lookout = null;
    let lookoutEnds = 0;
    let isInAppWebViewReady = false;

    function findTransport() {
      const reactNative = method(window.ReactNativeWebView, 'postMessage');
      const callHandler = isInAppWebViewReady && method(window.flutter_inappwebview, 'callHandler');
      return (
        iosTransport(native) ||
        androidTransport(native) ||
        (reactNative && (message => reactNative(message.text))) ||
        channelTransport(native) ||
        (callHandler && (message => callHandler(native.flutter || native.handler, message.body)))
      );
    }

    // A bridge may throw or, once the app has removed its handler, reject. Left alone, the rejection
    // would be reported through the same bridge, for ever.
    function deliver(transport, message) {
      try {
        Promise.resolve(transport(message)).catch(() => {});
      } catch (error) {
        console.warn('The native bridge refused an event: ' + describe(error));
      }
    }

    function flush(transport) {
      queue.splice(0).forEach(message => deliver(transport, message));
      stopLookout();
    }

    function stopLookout() {
      clearInterval(lookout);
      lookout = null;
    }

    function look() {
      const transport = findTransport();
      if (transport) return flush(transport);
      if (Date.now() < lookoutEnds) return undefined;
      queue.length = 0;
      return stopLookout();
    }

    function startLookout() {
      if (lookout !== null) return;
      lookoutEnds = Date.now() + LOOKOUT_MILLISECONDS;
      lookout = setInterval(look, LOOKOUT_STEP_MILLISECONDS);
    }

    // Warnings are what an app can best do without; a full queue gives them up first.
    function enqueue(message) {
      if (queue.length === QUEUE_LIMIT) {
        queue.splice(Math.max(0, queue.findIndex(waiting => waiting.type === 'warning')), 1);
      }
      queue.push(message);
      startLookout();
    }

    window.addEventListener('flutterInAppWebViewPlatformReady', () => {
      isInAppWebViewReady = true;
      look();
    });

    return function send(type, payload) {
      const event = { type, payload: toPayload(payload), timestamp: new Date().toISOString() };
      const body = native.body === 'text' ? type : event;
      const message = { type, body, text: native.body === 'text' ? type : JSON.stringify(event) };
      const transport = findTransport();
      if (!transport) return enqueue(message);
      flush(transport);
      return deliver(transport, message);
    };
  }

  // What the app may change

  function mayOverride(page, key, value) {
    if (!page.overridable.includes(key) || typeof value === 'object') return false;
    const tenants = own(page.config, key);
    return tenants === undefined || typeof tenants === typeof value;
  }

  // The script's address is never the app's: what our trusted script inserts may load from any host.
  function mergeOverrides(page, overrides, warn) {
    if (overrides === undefined || overrides === null) return page.config;
    const given = jsonClone(overrides);
    if (!isRecord(given)) {
      warn('The configuration given by the app is not an object and was ignored');
      return page.config;
    }
    const config = Object.assign({}, page.config);
    const ignored = [];
    Object.keys(given).filter(key => given[key] !== null).forEach(key => {
      const value = given[key];
      if (key === 'scriptURL') ignored.push(key);
      else if (mayOverride(page, key, value)) config[key] = value;
      else if (JSON.stringify(own(page.config, key)) !== JSON.stringify(value)) ignored.push(key);
    });
    if (ignored.length > 0) warn('Settings that the app cannot change were ignored: ' + ignored.join(', '));
    return config;
  }

  // The vendor's script

  function loadScript(config, name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.type = 'text/javascript';
      script.charset = 'UTF-8';
      script.async = true;
      if (config.scriptIntegrity) {
        script.integrity = config.scriptIntegrity;
        script.crossOrigin = 'anonymous';
      }
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => reject(new Error(name + ': the script could not be loaded')));
      script.src = config.scriptURL;
      document.head.appendChild(script);
    });
  }

  // One start at a time. Each attempt is a token: an answer that comes after its attempt has ended
  // finds another token, or none, in place and changes nothing.

  function mount(vendor) {
    const page = readPage(vendor);
    const send = openChannel(page.native);
    // A text body has a single meaning for the app, such as "close": failures must not be sent there.
    const hasErrorChannel = page.native.body !== 'text';
    let state = page.isEnabled ? 'idle' : 'disabled';
    let attempt = null;

    function report(type, payload) {
      if (hasErrorChannel) send(type, payload);
      else console.warn(payload.message);
    }

    function warn(message) {
      report('warning', { message });
    }

    function abandonAttempt() {
      if (!attempt) return;
      clearTimeout(attempt.timer);
      attempt = null;
      try {
        vendor.discard();
      } catch (error) {
        warn(describe(error));
      }
    }

    function fail(payload) {
      state = 'failed';
      abandonAttempt();
      showLine(vendor.failure, 'en');
      report('error', payload);
    }

    function becomeReady() {
      clearTimeout(attempt.timer);
      state = 'ready';
      vendor.ready();
    }

    function run(config) {
      const isCurrent = () => attempt === current;
      const seconds = page.startTimeoutSeconds;
      const current = {
        pending: 'the script did not load',
        send: (type, payload) => isCurrent() && send(type, payload),
        timer: setTimeout(
          () => fail({ message: vendor.name + ': ' + current.pending + ' within ' + seconds + ' s' }),
          seconds * 1000
        ),
      };
      attempt = current;
      // Inside a promise, so that whatever the page's own part throws ends the start, not the app's call.
      new Promise(resolve => {
        vendor.prepare(config, current.send);
        resolve(vendor.isLoaded() ? undefined : loadScript(config, vendor.name));
      })
        .then(() => {
          if (!isCurrent()) return undefined;
          current.pending = vendor.pending;
          return vendor.begin(config, current.send);
        })
        .then(
          () => isCurrent() && becomeReady(),
          error => isCurrent() && fail({ message: describe(error) })
        );
    }

    function missingSettings(config) {
      return vendor.required.filter(key => !own(config, key));
    }

    function start(overrides) {
      if (state === 'disabled') return report('error', { message: vendor.name + ' is disabled' });
      if (state === 'starting' || state === 'ready') return warn(vendor.name + ' has already been started');
      state = 'starting';
      const config = mergeOverrides(page, overrides, warn);
      const missing = missingSettings(config);
      if (missing.length > 0) return fail({ message: vendor.name + ': not set: ' + missing.join(', ') });
      describeDocument(config, vendor.languageSetting);
      showLine('');
      return run(config);
    }

    // Browsers report a postponed resize notification as an error; nothing has failed.
    function endsTheStart(message) {
      return (state === 'idle' || state === 'starting') && !/^ResizeObserver loop/.test(message);
    }

    // A rejection nobody handled ends nothing by itself: `init` still settles, or the time-out tells.
    function watchUncaughtErrors() {
      window.addEventListener('error', event => {
        const payload = { message: String(event.message), url: event.filename, line: event.lineno };
        if (endsTheStart(payload.message)) fail(payload);
        else report('warning', payload);
      });
      window.addEventListener('unhandledrejection', event => warn(describe(event.reason)));
    }

    // What a policy that is only tried would block has not been missed by anyone.
    function watchViolations() {
      const seen = [];
      document.addEventListener('securitypolicyviolation', event => {
        const directive = event.effectiveDirective;
        const blockedOrigin = toOrigin(event.blockedURI);
        const message = 'The policy blocked ' + blockedOrigin + ' by ' + directive;
        if (event.disposition === 'report' || seen.includes(message) || seen.length === VIOLATION_LIMIT) return;
        seen.push(message);
        report('warning', { message, directive, blockedOrigin });
      });
    }

    describeDocument(page.config, vendor.languageSetting);
    if (state === 'disabled') showLine(page.notice);
    else showLine(vendor.waiting, 'en');
    if (hasErrorChannel) watchUncaughtErrors();
    if (page.reportsViolations) watchViolations();
    if (page.startsItself && missingSettings(page.config).length === 0) start();

    return Object.freeze({ start, send, warn, isReady: () => state === 'ready', isEnabled: page.isEnabled });
  }

  window.bridgehost = Object.freeze({ mount });
})();
