import { FrameParser } from '../../../libs/runtime/streaming/default/src/websocket/frame-parser.js';
import { PingFilter } from '../../../libs/runtime/streaming/default/src/spdy/ping-filter.js';
import { ClientChannels } from '../../../libs/runtime/streaming/default/src/translation/client-channels.js';
import { TerminalSizes } from '../../../libs/runtime/streaming/default/src/translation/terminal-sizes.js';
import { fuzzTarget } from '../fuzz-target.js';

const frame = (first: number, ...payload: readonly number[]): number[] => [
  first,
  0x80 | payload.length,
  0,
  0,
  0,
  0,
  ...payload,
];
const size = [...Buffer.from('\x04{"Width":80,"height":24}')];

export const target = fuzzTarget({
  name: 'websocket-frames',
  reads:
    'what clients of exec, attach and port-forward send over WebSockets, in chunks cut anywhere, and SPDY pings inside',
  seeds: () => [
    Buffer.from([
      9,
      ...frame(0x82, 0, 97, 98),
      ...frame(0x82, ...size),
      ...frame(0x89, 1),
      ...frame(0x82, 255, 0),
      ...frame(0x88, 3, 232),
    ]),
    Buffer.from([1, ...frame(0x02, 0, 97), ...frame(0x80, 98), 0x82, 0xfe, 0, 3, 1, 2, 3, 4, 5, 6, 7]),
    Buffer.from([200, ...frame(0x82, 0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1)]),
  ],
  run: (input) => {
    const sizes = new TerminalSizes();
    const pings = new PingFilter();
    let read = 0;
    let over = false;
    const channels = new ClientChannels({
      stdin: (bytes) => {
        read += bytes.length;
        const passed = pings
          .push(bytes, (ping) => (ping[11] ?? 0) % 2 === 1)
          .reduce((sum, { length }) => sum + length, 0);
        if (passed > read) throw new Error('more bytes than came');
      },
      resize: (bytes) => void sizes.push(bytes),
      stdinClosed: () => undefined,
      violation: () => undefined,
    });
    const alive = (): void => {
      if (over) throw new Error('events after the end');
    };
    const parser = new FrameParser({
      message: () => (alive(), channels.message()),
      data: (bytes) => (alive(), channels.data(bytes)),
      messageEnd: () => (alive(), channels.messageEnd()),
      ping: alive,
      close: () => (over = true),
      violation: () => (alive(), (over = true)),
    });
    const step = (input[0] ?? 0) + 1;
    for (let at = 1; at < input.length; at += step) parser.push(input.subarray(at, at + step));
    pings.end();
  },
});
