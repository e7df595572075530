import { signal } from '@preact/signals';
import { nodeNow } from './node-state.js';

/** The node's time, once a second: for ages and for lanes that move. */
export const now = signal(nodeNow());
window.setInterval(() => {
  if (document.visibilityState === 'visible') now.value = nodeNow();
}, 1000);
