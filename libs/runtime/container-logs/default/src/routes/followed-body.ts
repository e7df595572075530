/**
 * Puts an empty piece before the content, with which the server sends the head of the answer. Without it a client that
 * follows a silent container would wait for the head, and might give up, until the container writes.
 */
export function followedBody(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  let begun = false;
  // Not a generator: that would not end the content before it has begun, nor while a piece is waited for.
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      if (begun) return pieces.next();
      begun = true;
      return { done: false, value: new Uint8Array() };
    },
    return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
