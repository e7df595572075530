export type { DeepPartial } from './deep-partial.js';
export { emptyBytes, Reader } from './reader.js';
export { Writer } from './writer.js';
