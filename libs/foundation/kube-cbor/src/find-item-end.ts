const breakByte = 0xff;
const indefinite = 31;

/**
 * Finds the ends of the items of a CBOR sequence that comes in pieces. The returned function gets the bytes that follow
 * those of its last call, and returns how many of them complete the item; undefined when it is not complete. After a
 * number, the next item begins. Throws a RangeError for a malformed head. Source: RFC 8949 section 3.
 */
export function findItemEnd(): (bytes: Uint8Array) => number | undefined {
  /** Items that each open array, map or tag still needs; infinite for one that a break ends. */
  let open: number[] = [];
  /** Bytes of content to pass over. */
  let skip = 0;
  /** The head that is being read: its first byte, the bytes of its argument that are missing, and their value. */
  let head: { readonly first: number; missing: number; argument: number } | undefined;

  return (bytes) => {
    for (let at = 0; ;) {
      const passed = Math.min(skip, bytes.length - at);
      at += passed;
      skip -= passed;
      if (skip > 0) return undefined;
      if (head === undefined && open.length > 0 && itemIsComplete()) {
        open = [];
        return at;
      }
      if (at === bytes.length) return undefined;
      const byte = bytes[at++] as number;
      if (head === undefined) begin(byte);
      else {
        head.argument = head.argument * 256 + byte;
        head.missing--;
      }
      if (head?.missing === 0) {
        const { first, argument } = head;
        head = undefined;
        enter(first >> 5, argument);
      }
    }
  };

  /** Closes what has all its items. The outermost entry is the item of the sequence. */
  function itemIsComplete(): boolean {
    while (open.at(-1) === 0) {
      open.pop();
      if (open.length === 0) return true;
    }
    return false;
  }

  function begin(first: number): void {
    // The item of the sequence.
    if (open.length === 0) open.push(1);
    const last = open.length - 1;
    if (first === breakByte) {
      if (open[last] !== Number.POSITIVE_INFINITY) throw new RangeError('malformed CBOR: a break outside of a list');
      open[last] = 0;
      return;
    }
    open[last] = (open[last] as number) - 1;
    const info = first & 31;
    if (info === indefinite) open.push(Number.POSITIVE_INFINITY);
    else if (info > 27) throw new RangeError(`malformed CBOR: a head of 0x${first.toString(16)}`);
    else if (info < 24) enter(first >> 5, info);
    else head = { first, missing: 1 << (info - 24), argument: 0 };
  }

  function enter(majorType: number, argument: number): void {
    if (majorType === 2 || majorType === 3) skip = argument;
    else if (majorType === 4) open.push(argument);
    else if (majorType === 5) open.push(argument * 2);
    else if (majorType === 6) open.push(1);
  }
}
