import { decodeObject, decodeWatchEvent, encodeObject, openList, protobufMediaType } from '@podwright/kube-protobuf';
import type { TypedObject } from '@podwright/kube-protobuf';
import type { ContentFormat } from './content-format.js';
import type { FindEventEnd } from './split-events.js';

// The length of an event precedes it. Source: kubernetes v1.36 apimachinery/pkg/util/framer/framer.go.
const lengthBytes = 4;

export const protobufFormat: ContentFormat = {
  name: 'protobuf',
  mediaType: protobufMediaType,
  encode: (object) => encodeObject(object as TypedObject),
  decode: decodeObject,
  openList: async (body) => openList(body),
  eventEnds,
  decodeEvent: (bytes, options) => decodeWatchEvent(bytes.subarray(lengthBytes), options),
};

function eventEnds(): FindEventEnd {
  let length = 0;
  let seen = 0;
  return (bytes) => {
    let at = 0;
    for (; seen < lengthBytes && at < bytes.length; at++, seen++) length = length * 256 + (bytes[at] as number);
    if (seen < lengthBytes) return undefined;
    const end = at + (lengthBytes + length - seen);
    if (end > bytes.length) {
      seen += bytes.length - at;
      return undefined;
    }
    length = 0;
    seen = 0;
    return end;
  };
}
