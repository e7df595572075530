export { decodeMessage } from './decode-message.js';
export { encodeMessage } from './encode-message.js';
