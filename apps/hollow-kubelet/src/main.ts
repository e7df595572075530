import { setFlagsFromString } from 'node:v8';
import { createSystemClock, holdProcess } from '@podwright/time';
import { runHollowKubelet } from './run-hollow-kubelet.js';

// The old generation grows by a third between two collections, and not to twice its size: nodes that start pods at the
// same time leave much that a collection frees, and a node costs half as much memory at the peak.
setFlagsFromString('--heap-growing-percent=30');

const clock = createSystemClock();
const stopping = new AbortController();
// npm and timeout(1) send a signal once more that the whole process group has got.
const samePressMs = 500;
let askedMs = -Infinity;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const again = clock.monotonic() - askedMs < samePressMs;
    askedMs = clock.monotonic();
    if (again) return;
    // Whoever asks twice does not want to wait.
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new Error(`interrupted by ${signal}`));
  });
}

const release = holdProcess();
void runHollowKubelet(process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
  clock,
  signal: stopping.signal,
}).then((code) => {
  process.exitCode = code;
  release();
  // A call that a node could not end must not keep the process.
  process.stdout.write('', () => process.exit());
});
