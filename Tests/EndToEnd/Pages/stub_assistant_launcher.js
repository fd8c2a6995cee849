// Keeps the published contract of the assistant's launcher: a custom element with a `close` event.
(function () {
  'use strict';
  const failure = new URL(document.currentScript.src).searchParams.get('do');

  class SmartAssistant extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML =
        '<style>button { color: rgb(1, 2, 3); }</style><button>Close</button>';
      this.shadowRoot.querySelector('button').addEventListener('click', () => this.dispatchEvent(new Event('close')));
    }
  }

  if (failure === 'throw') throw new Error('launcher broke');
  if (failure !== 'undefined') customElements.define('smart-assistant', SmartAssistant);
})();
