import { decodeCbor, findItemEnd } from '@podwright/kube-cbor';
import { yieldToEventLoop } from '@podwright/time';
import type { SplitList } from './open-list.js';

// The scan reads 100 MB/s.
const sliceBytes = 512 * 1024;

/** Tag 55799, which the API server begins each object with. */
const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);
const arrayType = 4;
const mapType = 5;
const breakByte = 0xff;
const indefinite = 31;
const emptyArray = Buffer.from([arrayType << 5]);

/**
 * Finds the items of a list, so that they can be decoded one by one. Yields to the event loop. Undefined when the body
 * is no map with a list `items`; throws a RangeError for a malformed head and for a body that is cut short. Does not validate the rest,
 * which the decoding of the parts does.
 */
export async function splitCborList(body: Buffer): Promise<SplitList | undefined> {
  const map = openContainer(body, body.indexOf(selfDescribed) === 0 ? selfDescribed.length : 0, mapType);
  if (map === undefined) return undefined;
  const scan = new Scan(body, map.begin);
  let split: SplitList | undefined;
  for (let left = map.length; left > 0 && !scan.atBreak; left--) {
    const [keyBegin, keyEnd] = await scan.pass();
    const list = openContainer(body, keyEnd, arrayType);
    // A second one makes the envelope a map with a key that occurs twice, which its decoding refuses.
    if (list === undefined || split !== undefined || decodeCbor(body.subarray(keyBegin, keyEnd)) !== 'items') {
      await scan.pass();
      continue;
    }
    const items: (readonly [number, number])[] = [];
    scan.at = list.begin;
    for (let more = list.length; more > 0 && !scan.atBreak; more--) items.push(await scan.pass());
    if (list.length === Number.POSITIVE_INFINITY) scan.at++;
    split = { envelope: Buffer.concat([body.subarray(0, keyEnd), emptyArray, body.subarray(scan.at)]), items };
  }
  return split;
}

/** Passes over items, and yields to the event loop at times. */
class Scan {
  private readonly findEnd = findItemEnd();
  private pauseAt = sliceBytes;

  constructor(
    private readonly body: Buffer,
    public at: number,
  ) {}

  get atBreak(): boolean {
    return this.body[this.at] === breakByte;
  }

  /** Where the next item is. */
  async pass(): Promise<readonly [begin: number, end: number]> {
    const begin = this.at;
    if (begin >= this.pauseAt) {
      this.pauseAt = begin + sliceBytes;
      await yieldToEventLoop();
    }
    const length = this.findEnd(this.body.subarray(begin));
    if (length === undefined) throw new RangeError('malformed CBOR: it is cut short');
    this.at = begin + length;
    return [begin, this.at];
  }
}

/** The head of a list or map: where its content begins, and how many items or entries; infinite up to a break. */
function openContainer(
  body: Buffer,
  at: number,
  type: number,
): { readonly begin: number; readonly length: number } | undefined {
  const first = body[at] ?? breakByte;
  const info = first & 31;
  if (first >> 5 !== type) return undefined;
  if (info < 24) return { begin: at + 1, length: info };
  if (info === indefinite) return { begin: at + 1, length: Number.POSITIVE_INFINITY };
  const bytes = 1 << (info - 24);
  if (bytes > 4 || at + bytes >= body.length) return undefined; // more than there can be
  return { begin: at + 1 + bytes, length: body.readUIntBE(at + 1, bytes) };
}
