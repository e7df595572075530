import { messageOf } from '@podwright/errors';

/**
 * Puts an empty piece before the content, with which the server sends the head of the answer. Without it a client that
 * follows a silent container would wait for the head, and might give up, until the container writes. An error ends the
 * content with its message, as upstream: kubectl asks again each second, for ever, when a log that it follows is refused.
 */
export function followedBody(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  let begun = false;
  // Not a generator: that would not end the content before it has begun, nor while a piece is waited for.
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      if (begun) return pieces.next().catch((error: unknown) => lastWords(error));
      begun = true;
      return { done: false, value: new Uint8Array() };
    },
    return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** The content has ended with the error, so that its next piece is its end. */
const lastWords = (error: unknown): IteratorYieldResult<Uint8Array> => ({
  done: false,
  value: Buffer.from(messageOf(error)),
});
