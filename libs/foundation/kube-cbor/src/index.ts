export { cborMediaType, cborSequenceMediaType, decodeCbor, encodeCbor } from './kube-cbor.js';
export { findItemEnd } from './find-item-end.js';
