// Why the chat does or does not appear: judges what has happened so far, the last cause first.
const verdict = (function () {
  'use strict';

  const LOOKOUT_SECONDS = 10;

  function judge(tone, title, next) {
    return { tone, title, next };
  }

  function facts(records) {
    const last = (kind, test) => records.filter(one => one.kind === kind && (!test || test(one))).pop();
    const after = (one, other) => one && (!other || records.indexOf(one) > records.indexOf(other));
    return { last, after, all: kind => records.filter(one => one.kind === kind) };
  }

  const isTrouble = event => event.type === 'error' || event.type === 'warning';
  const isBlockedScript = one => !one.isTried && /^(script|default)-src/.test(one.directive);

  function switchedOff(page, happened) {
    const error = happened.last('event', one => one.type === 'error');
    return judge('off', 'This bridge is switched off', (error ? 'The app got its one error. ' : '')
      + 'config/tenants/' + page.tenant + '.json says "enabled": false: the page shows its notice and starts nothing.');
  }

  // The message is the page's; the cause, if the browser knows one, says more.
  function cause(happened, message) {
    const blocked = happened.last('violation', isBlockedScript);
    if (blocked) {
      return judge('bad', 'A script was blocked by ' + blocked.directive, words.originOf(blocked.blocked)
        + ': see Violations. The page says: ' + message);
    }
    const failed = happened.last('failed', one => one.element === 'script');
    if (failed) {
      return judge('bad', 'The vendor’s script could not be loaded', failed.url
        + ': is the network there, and is scriptURL in the tenant’s settings right? The page says: ' + message);
    }
    const requested = happened.last('requested');
    if (requested && !happened.after(happened.last('loaded'), requested)) {
      return judge('bad', 'The vendor’s script did not answer', requested.url + ' was asked for and neither came nor failed. The page says: '
        + message);
    }
    const exception = happened.last('exception');
    const more = exception && exception.message !== message ? ' An exception before: ' + exception.message : '';
    return judge('bad', 'The start failed: ' + message, 'What the vendor was given stands under Config.' + more);
  }

  function waitingForVendor(page, happened, loaded) {
    const blocked = happened.last('violation', one => !one.isTried);
    if (blocked) {
      return judge('bad', blocked.directive + ' blocked ' + words.originOf(blocked.blocked),
        'The vendor’s script runs and is not ready; this may be why. See Violations.');
    }
    const later = happened.last('bridge-later');
    const bridge = happened.last('bridge');
    const request = happened.all('requested')[0];
    if (later && !bridge) {
      return judge('wait', 'The app’s bridge is not there yet',
        later.name + ' comes after ' + later.delay / 1000 + ' s. Events wait ' + LOOKOUT_SECONDS + ' s for it, then they are gone.');
    }
    if (later && bridge.at - request.at > LOOKOUT_SECONDS * 1000) {
      return judge('bad', 'The app’s bridge came too late',
        'Events wait for it for ' + LOOKOUT_SECONDS + ' s: what the page sent before is gone. Add it before the page is loaded.');
    }
    if (happened.last('no-bridge')) {
      return judge('wait', 'The vendor’s script runs; there is no app to tell', 'Choose an app above to see what the page sends.');
    }
    if (page.native && page.native.body === 'text') {
      return judge('good', 'The vendor’s script runs', 'This page tells its app only of what the user does, not that it is ready.');
    }
    return judge('wait', 'The vendor’s script runs and is not ready yet', loaded.url
      + ' was loaded. After ' + page.startTimeoutSeconds + ' s the page gives up with an error.');
  }

  function beforeStart(page, happened) {
    const globals = happened.last('globals');
    const starter = globals && globals.globals.find(one => one.takes > 0);
    const line = happened.last('line');
    if (!starter) return judge('wait', 'The page waits', line ? 'It says: ' + line.text : 'It offers nothing that an app could call.');
    return judge('wait', 'The page waits for ' + starter.name,
      'The app calls it once the page has loaded: press ' + starter.name + '(config). Or set "autoStart": true in the tenant’s file.');
  }

  return function verdict(records, page) {
    const happened = facts(records);
    if (!happened.last('document')) {
      return judge('wait', 'The page is being loaded', 'If it stays so, the service has ended or refuses the frame: see the browser’s console.');
    }
    if (!page.enabled) return switchedOff(page, happened);
    const missing = happened.last('no-bridge', one => one.platform !== 'none');
    if (missing) {
      return judge('bad', 'The descriptor names nothing for this app', 'native in config/bridges/' + page.bridge
        + '.json has no name for it, so no event can arrive.');
    }
    const requested = happened.last('requested');
    const error = happened.last('event', one => one.type === 'error');
    if (happened.after(error, requested)) return cause(happened, (error.payload && error.payload.message) || 'no reason given');
    const news = happened.last('event', one => !isTrouble(one));
    if (news) return judge('good', 'The chat runs: the page sent ' + news.type, 'Everything that the app gets stands below.');
    if (!requested) return beforeStart(page, happened);
    const line = happened.last('line');
    if (line && line.text !== '') {
      const told = happened.last('console');
      return cause(happened, told ? told.message : line.text);
    }
    const loaded = happened.last('loaded');
    if (happened.after(loaded, requested)) return waitingForVendor(page, happened, loaded);
    return judge('wait', 'The page waits for the vendor’s script', requested.url + ' has been asked for. After '
      + page.startTimeoutSeconds + ' s the page gives up with an error.');
  };
})();
