import type { ContentFormat } from './content-format.js';
import { listOpener } from './open-list.js';
import { splitJsonList } from './split-json-list.js';

const newline = 0x0a;

export const jsonFormat: ContentFormat = {
  name: 'JSON',
  mediaType: 'application/json',
  encode: (object) => JSON.stringify(object),
  decode,
  openList: listOpener(decode, splitJsonList),
  eventEnds: () => (bytes) => {
    const end = bytes.indexOf(newline);
    return end < 0 ? undefined : end + 1;
  },
  decodeEvent: (bytes) => {
    const text = bytes.toString('utf8').trim();
    return text === '' ? undefined : JSON.parse(text);
  },
};

function decode(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}
