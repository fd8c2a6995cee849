// The inspector: shows a bridge page in a frame, plays its app, and tells what happens.
(function () {
  'use strict';

  const data = JSON.parse(document.getElementById('bridge-config').textContent);
  const find = id => document.getElementById(id);

  function make(tag, options, ...children) {
    const element = document.createElement(tag);
    Object.assign(element, options);
    element.append(...children.filter(child => child !== null && child !== ''));
    return element;
  }

  const code = text => make('code', {}, text);
  const quiet = text => make('span', { className: 'quiet' }, text);
  const json = value => JSON.stringify(value, null, 2);

  function short(value) {
    const text = JSON.stringify(value);
    return text.length < 60 ? text : json(value);
  }

  // The list of all bridges

  function showList() {
    find('list').hidden = false;
    for (const one of data.bridges) {
      const name = one.tenant + ' / ' + one.bridge;
      find('bridges').append(make('tr', {},
        make('td', {}, one.path ? make('a', { href: one.path }, name) : name),
        make('td', {}, one.title),
        make('td', {}, quiet(one.path ? (one.enabled ? '' : 'switched off') : 'has no page: its config comes by REST alone'))));
    }
  }

  // What is fixed: config and fields

  function showSubject(page) {
    document.title = page.bridge + ' of ' + page.tenant + ' – Inspector';
    find('all').hidden = false;
    find('subject').append(data.title, ' ', quiet('bridge '), code(page.bridge), quiet(' of tenant '), code(page.tenant));
    find('page').href = data.pageURL;
    find('page').append(data.pageURL);
    find('revision').append('revision ' + page.revision);
  }

  function showConfig(page) {
    const row = (name, value, note) => make('tr', {},
      make('th', {}, name), make('td', {}, code(typeof value === 'string' ? value : short(value)), note ? quiet(note) : ''));
    const settings = Object.keys(page.config).sort();
    find('config').append(
      ...settings.map(name => row(name, page.config[name], page.overridable.includes(name) ? 'or as the app says' : '')),
      make('tr', {}, make('th', { colSpan: 2, className: 'title' }, 'How the page starts and reaches the app')),
      ...['enabled', 'autoStart', 'startTimeoutSeconds', 'notice', 'native']
        .filter(name => page[name] !== undefined)
        .map(name => row(name, page[name])));
  }

  // A part is a name, a value, who heeds it, and where it is from; a name's parts follow each other.
  function partList(parts) {
    return make('dl', {}, ...parts.flatMap(([name, value, heeding, origin], index) => [
      index > 0 && parts[index - 1][0] === name ? '' : make('dt', {}, code(name), quiet(words.directive(name))),
      make('dd', {},
        make('code', { className: words.isHash(value) ? 'short' : '', title: value }, value),
        quiet(words.source(value, name)),
        make('span', { className: 'origin' }, 'from ' + origin),
        heeding === 'all' ? '' : make('span', { className: 'heeding' }, 'heeded by: ' + heeding)),
    ]).filter(Boolean));
  }

  function showFields() {
    find('fields').append(...data.fields.map(field => make('section', {},
      make('h3', {}, field.name),
      make('p', {}, words.field(field.name)),
      field.parts.length > 0 ? partList(field.parts) : make('p', {}, code(field.value)))));
  }

  // What happens

  const RECORD_LIMIT = 1000;

  let frame = null;
  let records = [];
  let startedAt = 0;

  const headline = {
    'bridge': one => 'the app’s bridge is there: ' + one.name,
    'bridge-later': one => 'the app’s bridge is to come after ' + one.delay / 1000 + ' s: ' + one.name,
    'no-bridge': () => 'there is no app’s bridge',
    'globals': one => 'the page offers ' + (one.globals.map(offered => offered.name).join(', ') || 'no function'),
    'document': () => 'the page has loaded',
    'line': one => one.text ? 'the page shows: ' + one.text : 'the page shows the vendor’s part',
    'requested': one => 'asked for ' + one.url,
    'loaded': one => 'loaded ' + one.url,
    'failed': one => 'could not load ' + one.element + ' ' + one.url,
    'call': one => one.name + (one.values.length > 0 ? '(…)' : '()'),
    'answer': one => one.problem === undefined ? one.name + ' returned ' + one.value : one.name + ' threw ' + one.problem,
    'event': one => one.type,
    'violation': one => one.directive + (one.isTried ? ' would block ' : ' blocked ') + one.blocked,
    'exception': one => one.message + (one.place ? ' at ' + one.place : ''),
    'console': one => one.message,
    'limit': () => 'more than can be shown: load again',
  };
  const labels = {
    'event': 'page → app', 'call': 'app → page', 'answer': 'app → page', 'violation': 'violation', 'exception': 'exception',
    'console': 'console', 'requested': 'script', 'loaded': 'script', 'failed': 'load', 'bridge': 'app', 'bridge-later': 'app',
    'no-bridge': 'app',
  };

  function tone(record) {
    const isBad = record.kind === 'failed' || record.kind === 'exception' || record.kind === 'violation'
      || record.problem !== undefined || (record.kind === 'event' && record.type === 'error');
    if (isBad) return 'bad';
    if (record.kind === 'console' || (record.kind === 'event' && record.type === 'warning')) return 'odd';
    return record.kind === 'event' ? 'good' : '';
  }

  const seconds = record => (Math.max(0, record.at - startedAt) / 1000).toFixed(3) + ' s';

  function showRecord(record) {
    const timeline = find('timeline');
    const payloads = (record.kind === 'call' ? record.values : [record.payload]).filter(value => value !== undefined && value !== null);
    const item = make('li', { className: tone(record) },
      make('time', {}, seconds(record)),
      make('span', { className: 'label' }, labels[record.kind] || 'page'),
      make('span', { className: 'headline' }, headline[record.kind](record)),
      ...payloads.map(payload => make('pre', {}, short(payload))));
    item.dataset.kind = record.kind;
    timeline.append(item);
    timeline.scrollTop = timeline.scrollHeight;
  }

  function showViolation(violation) {
    find('no-violation').hidden = true;
    find('violations').append(make('li', {},
      make('h3', {}, violation.directive + ' ', quiet(violation.isTried ? 'only tried' : 'blocked')),
      make('p', {}, code(violation.blocked)),
      violation.place ? make('p', {}, quiet('by ' + violation.place)) : '',
      make('p', {}, words.remedy(violation, data.page))));
    const count = find('violations').children.length;
    find('violation-count').textContent = count;
    if (count === 1) find('blocked').open = true;
  }

  function showVerdict() {
    const judged = verdict(records, data.page);
    const last = records[records.length - 1];
    find('verdict').className = judged.tone;
    find('verdict-title').textContent = judged.title;
    find('verdict-next').textContent = judged.next;
    find('verdict-last').textContent = last ? 'Last, at ' + seconds(last) + ': ' + headline[last.kind](last) : '';
  }

  function hear(event) {
    if (!frame || event.source !== frame.contentWindow || event.origin !== location.origin) return;
    const record = event.data;
    if (!record || record.from !== 'inspect-app' || !headline[record.kind]) return;
    if (records.length === RECORD_LIMIT) keep({ kind: 'limit', at: record.at });
    if (records.length < RECORD_LIMIT) keep(record);
  }

  function keep(record) {
    records.push(record);
    if (record.kind === 'globals') showCalls(record.globals);
    if (record.kind === 'violation') showViolation(record);
    showRecord(record);
    showVerdict();
  }

  // The app

  // A script's address is never the app's, so an app does not send it.
  function configOfApp() {
    return Object.fromEntries(Object.entries(data.page.config).filter(([name]) => name !== 'scriptURL'));
  }

  function call(name, values) {
    frame.contentWindow.postMessage({ to: 'inspect-app', name, values }, location.origin);
  }

  function showCalls(globals) {
    const button = (text, name, values) => {
      const element = make('button', { type: 'button' }, text);
      element.addEventListener('click', () => call(name, values));
      return element;
    };
    find('buttons').replaceChildren(...globals.flatMap(one => [
      one.takes > 0 ? button(one.name + '(config)', one.name, [configOfApp()]) : '',
      button(one.name + '()', one.name, []),
    ]).filter(Boolean));
    find('function').replaceChildren(...globals.map(one => make('option', {}, one.name)));
    if (globals.length === 0) find('buttons').append(quiet('The page offers no function; it starts by itself.'));
  }

  function callFreely() {
    const problem = find('free-problem');
    problem.textContent = '';
    try {
      const values = JSON.parse(find('arguments').value || '[]');
      if (!Array.isArray(values)) throw new Error('The arguments are not an array.');
      call(find('function').value, values);
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function load() {
    records = [];
    startedAt = performance.timeOrigin + performance.now();
    find('timeline').replaceChildren();
    find('violations').replaceChildren();
    find('violation-count').textContent = '0';
    find('no-violation').hidden = false;
    frame = make('iframe', { title: 'The page', src: data.framedPath });
    frame.dataset.app = JSON.stringify({
      platform: find('platform').value,
      delay: Number(find('delay').value),
      native: data.page.native,
    });
    find('phone').replaceChildren(frame);
    showVerdict();
  }

  function handle(form, action) {
    form.addEventListener('submit', event => {
      event.preventDefault();
      action();
    });
  }

  function inspect() {
    find('inspector').hidden = false;
    showSubject(data.page);
    showConfig(data.page);
    showFields();
    find('arguments').value = json([configOfApp()]);
    window.addEventListener('message', hear);
    handle(find('app'), load);
    handle(find('free'), callFreely);
    find('app').addEventListener('change', load);
    load();
  }

  if (data.bridges) showList();
  else inspect();
})();
