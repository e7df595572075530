import type { TypedObject } from '@podwright/kube-protobuf';

export interface WrittenEvent {
  readonly type: string;
  readonly object: TypedObject;
}

/**
 * Writes each event of a watch anew; `events` has one per line, in JSON. Ending the iteration ends the source's at once,
 * even during a wait.
 */
export function mapEvents(
  events: AsyncIterable<Uint8Array>,
  write: (event: WrittenEvent) => Uint8Array,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = events[Symbol.asyncIterator]();
      let rest = '';
      return {
        next: async () => {
          for (;;) {
            const { done, value } = await source.next();
            if (done === true) return { done, value: undefined };
            const lines = (rest + new TextDecoder().decode(value)).split('\n');
            rest = lines.pop() ?? '';
            const written = lines.map((line) => write(JSON.parse(line) as WrittenEvent));
            if (written.length > 0) return { done: false, value: Buffer.concat(written) };
          }
        },
        return: async () => {
          await source.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
