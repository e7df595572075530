import type { ConsoleMessage } from '@podwright/console-interface';
import type { Clock } from '@podwright/time';

// Proxies close connections that are quiet for a minute.
const heartbeatMs = 15_000;
// How long a browser waits before it comes again.
const retryMs = 2_000;
const quiet = Symbol('quiet');

/** Messages as server-sent events, with a comment now and then when there are none. */
export async function* liveStream(
  messages: AsyncIterable<ConsoleMessage>,
  clock: Pick<Clock, 'setTimer'>,
): AsyncGenerator<string> {
  const source = messages[Symbol.asyncIterator]();
  try {
    yield `retry: ${retryMs}\n\n`;
    let next = source.next();
    for (;;) {
      const result = await orQuiet(next, clock);
      if (result === quiet) {
        yield ':\n\n';
        continue;
      }
      if (result.done === true) return;
      yield event(result.value);
      next = source.next();
    }
  } finally {
    // Not awaited: a pending `next()` settles only when the watcher's signal aborts.
    void source.return?.();
  }
}

// JSON has no line breaks, so the data is one line.
const event = ({ name, data }: ConsoleMessage): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

async function orQuiet<T>(next: Promise<T>, clock: Pick<Clock, 'setTimer'>): Promise<T | typeof quiet> {
  let beat: () => void = () => undefined;
  const timer = clock.setTimer(heartbeatMs, () => beat());
  try {
    return await Promise.race([next, new Promise<typeof quiet>((resolve) => (beat = () => resolve(quiet)))]);
  } finally {
    timer.cancel();
  }
}
