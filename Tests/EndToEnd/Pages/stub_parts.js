// A part of an SDK that comes later, and loads one of everything that SDKs load.
(function () {
  'use strict';

  const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>';

  function settle(element, source, parent) {
    return new Promise(resolve => {
      element.onload = element.onloadedmetadata = () => resolve('loaded');
      element.onerror = () => resolve('failed');
      source(element);
      if (parent) parent.appendChild(element);
    });
  }

  function picture(url) {
    return settle(new Image(), image => { image.src = url; });
  }

  // Styles count at once, so they are tried on an element that shows them.
  function colours() {
    const probe = document.body.appendChild(document.createElement('i'));
    const colour = () => getComputedStyle(probe).color;
    const sheet = document.head.appendChild(document.createElement('style'));
    sheet.sheet.insertRule('i { color: rgb(1, 1, 1); }');
    const found = [colour()];
    probe.setAttribute('style', 'color: rgb(2, 2, 2)');
    found.push(colour());
    probe.style.cssText = 'color: rgb(3, 3, 3)';
    found.push(colour());
    return found;
  }

  function frame(url) {
    return settle(document.createElement('iframe'), element => { element.src = url; }, document.body);
  }

  function styleSheet(url) {
    return settle(document.createElement('link'), element => Object.assign(element, { rel: 'stylesheet', href: url }), document.head);
  }

  function socket(url) {
    return new Promise(resolve => {
      const opened = new WebSocket(url);
      opened.onopen = () => resolve('loaded');
      opened.onerror = () => resolve('failed');
    });
  }

  function request(url) {
    return new Promise(resolve => {
      const sent = new XMLHttpRequest();
      sent.onload = () => resolve('loaded');
      sent.onerror = () => resolve('failed');
      sent.open('GET', url);
      sent.send();
    });
  }

  window.__loadParts = async function (urls) {
    const font = new FontFace('Part', 'url(' + urls.origin + '/parts.woff2)');
    const sound = new Audio();
    const loads = {
      picture: picture(urls.picture),
      data: picture('data:image/svg+xml,' + encodeURIComponent(PICTURE)),
      blob: picture(URL.createObjectURL(new Blob([PICTURE], { type: 'image/svg+xml' }))),
      fetch: fetch(urls.gateway).then(() => 'loaded', () => 'failed'),
      request: request(urls.gateway),
      frame: frame(urls.origin + '/parts.html'),
      styleSheet: styleSheet(urls.origin + '/parts.css'),
    };
    // A host that no policy names: what a script that is trusted loads is trusted too.
    loads.elsewhere = settle(document.createElement('script'), script => { script.src = 'https://extra.example/more.js'; }, document.head);
    if (urls.socket) loads.socket = socket(urls.socket);
    // Whether there is a decoder is not ours to tell: that it was asked for is seen by the host.
    font.load().catch(() => {});
    document.body.appendChild(sound).src = urls.sound;
    const result = { colours: colours() };
    for (const kind of Object.keys(loads)) result[kind] = await loads[kind];
    return result;
  };
})();
