// Keeps the published contract of the assistant's launcher: a custom element with a `close` event.
(function () {
  'use strict';
  const failure = new URL(document.currentScript.src).searchParams.get('do');

  function loadAllParts() {
    const chunk = document.createElement('script');
    chunk.src = 'https://sa-media.usizy.es/parts.js';
    chunk.onload = () => window.__loadParts({
      origin: 'https://sa-media.usizy.es',
      picture: 'https://sa-media.usizy.es/face.svg',
      gateway: 'https://sa-media.usizy.es/answers',
      sound: 'https://sa-media.usizy.es/voice.wav',
      socket: 'wss://sa-media.usizy.es/talk',
    }).then(result => { window.__parts = result; });
    document.head.appendChild(chunk);
  }

  class SmartAssistant extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML =
        '<style>button { color: rgb(1, 2, 3); }</style><button>Close</button>';
      this.shadowRoot.querySelector('button').addEventListener('click', () => this.dispatchEvent(new Event('close')));
      if (failure === 'parts') loadAllParts();
    }
  }

  if (failure === 'throw') throw new Error('launcher broke');
  if (failure !== 'undefined') customElements.define('smart-assistant', SmartAssistant);
})();
