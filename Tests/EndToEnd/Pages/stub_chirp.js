// Keeps the contract of a vendor that exists in these tests alone.
(function () {
  'use strict';
  window.Chirps = {
    join(room, tune, sing) {
      window.__chirp = { room, tune, sing };
      const socket = new WebSocket('wss://chirp.example/rooms/' + room);
      return new Promise((resolve, reject) => {
        socket.onopen = () => resolve();
        socket.onerror = () => reject(new Error('no room'));
      });
    },
  };
})();
