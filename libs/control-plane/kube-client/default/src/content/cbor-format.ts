import { cborMediaType, decodeCbor, encodeCbor, findItemEnd } from '@podwright/kube-cbor';
import type { ContentFormat } from './content-format.js';
import { wholeList } from './json-format.js';

export const cborFormat: ContentFormat = {
  name: 'CBOR',
  mediaType: cborMediaType,
  encode: encodeCbor,
  decode: decodeCbor,
  openList: async (body) => wholeList(decodeCbor(body)),
  eventEnds: findItemEnd,
  decodeEvent: decodeCbor,
};
