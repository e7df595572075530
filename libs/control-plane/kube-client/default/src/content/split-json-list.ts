import { yieldToEventLoop } from '@podwright/time';
import type { SplitList } from './open-list.js';

// The scan reads 100 MB/s or more.
const sliceBytes = 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const emptyArray = Buffer.from('[]');

/**
 * Finds the items of a list, so that they can be parsed one by one: JSON.parse of 20 MiB of services would block the
 * event loop for a quarter of a second. Yields to the event loop. Undefined when the body has no top-level list `items`
 * or is truncated; does not validate the rest, which the parsing of the parts does.
 */
export async function splitJsonList(body: Buffer): Promise<SplitList | undefined> {
  const items: [number, number][] = [];
  let depth = 0;
  let lastString: readonly [begin: number, end: number] = [0, 0];
  let list: { begin: number; end: number } | undefined;
  let itemBegin = 0;
  let pauseAt = sliceBytes;
  for (let at = 0; at < body.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + sliceBytes;
      await yieldToEventLoop();
    }
    const byte = body[at];
    if (byte === quote) {
      const end = endOfString(body, at);
      if (end === undefined) return undefined;
      if (depth === 1) lastString = [at, end];
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      if (depth === 1 && byte === openBracket && list === undefined && isKeyItems(body, lastString)) {
        list = { begin: at, end: -1 };
        itemBegin = at + 1;
      }
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
      if (depth === 1 && list?.end === -1) {
        if (byte === closeBrace) return undefined;
        // Nothing at all, or no item after a comma, which its parsing refuses.
        if (items.length > 0 || !isBlank(body, itemBegin, at)) items.push([itemBegin, at]);
        list.end = at + 1;
      }
    } else if (byte === comma && depth === 2 && list?.end === -1) {
      items.push([itemBegin, at]);
      itemBegin = at + 1;
    }
  }
  if (list === undefined || list.end === -1 || depth !== 0) return undefined;
  const envelope = Buffer.concat([body.subarray(0, list.begin), emptyArray, body.subarray(list.end)]);
  return { envelope, items };
}

function endOfString(body: Buffer, begin: number): number | undefined {
  for (let end = body.indexOf(quote, begin + 1); end >= 0; end = body.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return undefined;
}

function isKeyItems(body: Buffer, [begin, end]: readonly [begin: number, end: number]): boolean {
  return body.toString('latin1', begin, end) === '"items"';
}

function isBlank(body: Buffer, begin: number, end: number): boolean {
  return body.toString('latin1', begin, end).trim() === '';
}
