export { decodeMessage } from './decode-message.js';
export type { DecodeOptions } from './decode-message.js';
export { encodeMessage } from './encode-message.js';
export { hasMessage } from './object-messages.js';
export { decodeObject, encodeObject, openList, protobufMediaType } from './typed-object.js';
export type { OpenedList, TypedObject } from './typed-object.js';
export { decodeWatchEvent, encodeWatchEvent } from './watch-event.js';
export type { WatchEvent } from './watch-event.js';
