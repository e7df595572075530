import type { OpenedList } from './content-format.js';

/** A list split into items without decoding the whole. */
export interface SplitList {
  /** The list object with empty `items`. */
  readonly envelope: Buffer;
  /** Offsets of each item in the body; `end` is exclusive. */
  readonly items: readonly (readonly [begin: number, end: number])[];
}

// Decoding takes some ten milliseconds for this size in CBOR, and one in JSON.
const smallBytes = 64 * 1024;

/** Opens lists; splits long ones. `split` resolves with undefined for what only `decode` understands, or refuses. */
export const listOpener =
  (decode: (bytes: Buffer) => unknown, split: (body: Buffer) => Promise<SplitList | undefined>) =>
  async (body: Buffer): Promise<OpenedList> => {
    const parts = body.byteLength > smallBytes ? await split(body) : undefined;
    if (parts === undefined) return wholeList(decode(body));
    return { envelope: decode(parts.envelope), items: decoded() };

    function* decoded(): Generator<readonly [unknown, number], void, undefined> {
      for (const [begin, end] of parts?.items ?? []) yield [decode(body.subarray(begin, end)), end];
    }
  };

/** A list that is decoded already. Items that are no list stay in the envelope. */
function wholeList(list: unknown): OpenedList {
  const { items } = (list ?? {}) as { readonly items?: unknown };
  if (!Array.isArray(items)) return { envelope: list, items: [] };
  return { envelope: { ...(list as object), items: [] }, items: items.map((item: unknown) => [item, 0] as const) };
}
