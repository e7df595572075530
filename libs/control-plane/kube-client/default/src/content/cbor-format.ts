import { cborMediaType, decodeCbor, encodeCbor, findItemEnd } from '@podwright/kube-cbor';
import type { ContentFormat } from './content-format.js';
import { listOpener } from './open-list.js';
import { splitCborList } from './split-cbor-list.js';

export const cborFormat: ContentFormat = {
  name: 'CBOR',
  mediaType: cborMediaType,
  encode: encodeCbor,
  decode: decodeCbor,
  openList: listOpener(decodeCbor, splitCborList),
  eventEnds: findItemEnd,
  decodeEvent: (bytes) => decodeCbor(bytes),
};
