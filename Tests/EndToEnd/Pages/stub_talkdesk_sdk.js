// Keeps the published contract of the chat SDK and loads what the real one is known to load.
(function () {
  'use strict';
  const failure = new URL(document.currentScript.src).searchParams.get('do');
  const record = (window.__sdk = window.__sdk || { created: [], inits: [], chats: [], settle: [], opened: 0, destroyed: 0 });

  record.crash = () => setTimeout(() => { throw new Error('inside the SDK'); });
  record.rejectUnhandled = () => { Promise.reject(new Error('nobody waits for this')); };

  function loadParts() {
    const style = document.createElement('style');
    style.textContent = '#tdWebchat { color: rgb(1, 2, 3); }';
    document.head.appendChild(style);
    const frame = document.createElement('iframe');
    frame.src = 'https://talkdeskchatsdk.talkdeskapp.com/v2/widget/latest/index.html';
    document.getElementById('tdWebchat').appendChild(frame);
    const picture = new Image();
    picture.src = 'https://prd-cdn-talkdesk.talkdesk.com/launcher.svg';
    return Promise.all([picture.decode(), fetch('https://api.talkdeskapp.com/touchpoint')]).then(() => true);
  }

  function loadAllParts() {
    const chunk = document.createElement('script');
    chunk.src = 'https://talkdeskchatsdk.talkdeskapp.com/parts.js';
    document.head.appendChild(chunk);
    return new Promise(resolve => { chunk.onload = resolve; })
      .then(() => window.__loadParts({
        origin: 'https://talkdeskchatsdk.talkdeskapp.com',
        picture: 'https://prd-cdn-talkdesk.talkdesk.com/launcher.svg',
        gateway: 'https://api.talkdeskapp.com/touchpoint',
        sound: 'https://extra.example/message.wav',
      }))
      .then(result => { record.parts = result; return true; });
  }

  const inits = {
    parts: loadAllParts,
    'init-false': () => Promise.resolve(false),
    'init-reject': () => Promise.reject(new Error('touchpoint unknown')),
    'init-throw': () => { throw new Error('init broke'); },
    'init-pending': () => new Promise(resolve => record.settle.push(resolve)),
    'crash-early': () => { record.crash(); return new Promise(resolve => record.settle.push(resolve)); },
  };

  function create(node, properties) {
    const chat = {
      init(configuration) {
        record.inits.push({ configuration, assigned: typeof chat.onOpenWebchat });
        return (inits[failure] || loadParts)();
      },
      open() {
        record.opened += 1;
        if (failure === 'open-throw') throw new Error('cannot open');
        chat.onOpenWebchat();
      },
      destroy() { record.destroyed += 1; },
    };
    record.created.push({ node, properties, hasContainer: document.getElementById(node) !== null });
    record.chats.push(chat);
    return chat;
  }

  if (failure === 'script-throw') throw new Error('script broke');
  if (failure !== 'no-global') window.TalkdeskChatSDK = create;
})();
