import { SpdyFrameParser } from '../../../libs/runtime/streaming/default/src/spdy/frame-parser.js';
import {
  dataHead,
  goAway,
  pingFrame,
  rstStream,
  synReply,
  synStream,
} from '../../../libs/runtime/streaming/default/src/spdy/frames.js';
import { HeaderBlocks } from '../../../libs/runtime/streaming/default/src/spdy/header-blocks.js';
import { fuzzTarget } from '../fuzz-target.js';

const block = new HeaderBlocks().next({ streamType: 'stdout', port: '80' });
const nothing = (): void => undefined;

export const target = fuzzTarget({
  name: 'spdy-frames',
  reads: "the runtime's answers to exec, attach and port-forward, in chunks cut anywhere",
  seeds: () => [
    Buffer.concat([Buffer.from([7]), synReply(1, block), dataHead(1, 3), Buffer.from('abc'), dataHead(1, 0, true)]),
    Buffer.concat([Buffer.from([1]), synStream(2, block), pingFrame(2), rstStream(1), goAway()]),
  ],
  run: (input) => {
    let violations = 0;
    let over = false;
    const alive = (): void => {
      if (over) throw new Error('events after a violation');
    };
    const parser = new SpdyFrameParser({
      opened: alive,
      replied: alive,
      data: (_, bytes) => {
        alive();
        if (bytes.length === 0) throw new Error('empty data');
      },
      finished: alive,
      reset: alive,
      ping: alive,
      goneAway: nothing,
      violation: () => {
        over = true;
        violations++;
      },
    });
    const step = (input[0] ?? 0) + 1;
    for (let at = 1; at < input.length; at += step) parser.push(input.subarray(at, at + step));
    if (violations > 1) throw new Error('more than one violation');
  },
});
