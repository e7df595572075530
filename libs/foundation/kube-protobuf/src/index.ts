export { decodeMessage } from './decode-message.js';
export { encodeMessage } from './encode-message.js';
export { wireFields } from './wire-fields.js';
export type { WireField } from './wire-fields.js';
