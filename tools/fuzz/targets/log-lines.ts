import { LogDecoder } from '../../../libs/runtime/container-logs/default/src/lines/log-decoder.js';
import { LogOutput } from '../../../libs/runtime/container-logs/default/src/lines/log-output.js';
import { fuzzTarget } from '../fuzz-target.js';

const options = { timestamps: true, stream: 'All', limitBytes: 65_536, limitRecords: 1000 } as const;
const line =
  '2026-01-01T00:00:00.123456789Z stdout F one\n2026-01-01T00:00:00Z stderr P:x two \n2026-01-01T00:00:01+02:00 stderr F three\n';

export const target = fuzzTarget({
  name: 'log-lines',
  reads: 'container logs in the formats of CRI and Docker, in blocks cut anywhere',
  seeds: () => [`\xff${line}`, `\x05${line}`, `\x20{"log":"a\\n","stream":"stdout","time":"2026-01-01T00:00:00Z"}\n`],
  run: (input) => {
    const output = new LogOutput(options);
    const decoder = new LogDecoder(output);
    const step = (input[0] ?? 0) + 1;
    let shown = 0;
    for (let at = 1; at < input.length; at += step) {
      decoder.push(input.subarray(at, at + step));
      shown += output.take()?.length ?? 0;
    }
    decoder.endOfFile();
    shown += output.take()?.length ?? 0;
    if (shown > options.limitBytes) throw new Error('more than the limit');
  },
});
