import type { ContentFormat, OpenedList } from './content-format.js';
import { splitJsonList } from './split-json-list.js';

const newline = 0x0a;

// JSON.parse takes at most a few milliseconds for this size.
const smallBytes = 512 * 1024;

export const jsonFormat: ContentFormat = {
  name: 'JSON',
  mediaType: 'application/json',
  encode: (object) => JSON.stringify(object),
  decode,
  openList: async (body) => (body.byteLength > smallBytes ? await openLongList(body) : openShortList(body)),
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

function openShortList(body: Buffer): OpenedList {
  return wholeList(decode(body));
}

/** A list that is decoded already. Items that are no list stay in the envelope. */
export function wholeList(list: unknown): OpenedList {
  const { items } = (list ?? {}) as { readonly items?: unknown };
  if (!Array.isArray(items)) return { envelope: list, items: [] };
  return { envelope: { ...(list as object), items: [] }, items: items.map((item: unknown) => [item, 0] as const) };
}

async function openLongList(body: Buffer): Promise<OpenedList> {
  const split = await splitJsonList(body);
  if (split === undefined) return openShortList(body);
  const { envelope, items } = split;
  return { envelope: JSON.parse(envelope), items: parsed() };

  function* parsed(): Generator<readonly [unknown, number], void, undefined> {
    for (const [begin, end] of items) yield [JSON.parse(body.toString('utf8', begin, end)), end];
  }
}
