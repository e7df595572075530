import { expect, it } from '@jest/globals';
import type { ConsoleMessage } from '@podwright/console-interface';
import { VirtualClock } from '@podwright/time';
import { liveStream } from './live-stream.js';

const hostile = 'line\nbreak \u2028 <script>';

it('sends messages as events of one line, a comment while there are none, and ends with them', async () => {
  const clock = new VirtualClock();
  const message: ConsoleMessage = { name: 'lanes', data: { changed: [], removed: [hostile] } };
  let goOn: () => void = () => undefined;
  const stream = liveStream(
    (async function* () {
      yield message;
      await new Promise<void>((resolve) => (goOn = resolve));
      yield message;
    })(),
    clock,
  );
  const pieces: string[] = [];
  const ended = (async () => {
    for await (const piece of stream) pieces.push(piece);
  })();
  await clock.advance(31_000);
  goOn();
  await ended;
  const event = `event: lanes\ndata: ${JSON.stringify(message.data)}\n\n`;
  expect(pieces).toEqual(['retry: 2000\n\n', event, ':\n\n', ':\n\n', event]);
  expect(event.split('\n')).toHaveLength(4);
  expect(JSON.parse(event.split('\n')[1]?.slice('data: '.length) ?? '')).toEqual(message.data);
  expect(clock.pendingTimers).toBe(0);
});
