import { createSystemClock, holdProcess } from '@podwright/time';
import { runCommandLine } from './command-line.js';
import type { CommandIo } from './command-io.js';
import { processTerminal } from './streams/terminal.js';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait for the end of what runs.
    if (interrupt.signal.aborted) process.exit(1);
    interrupt.abort(new Error(`interrupted by ${signal}`));
  });
}
// A reader such as `head` that has enough ends this command quietly.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

const io: CommandIo = {
  out: (bytes) => write(process.stdout, bytes),
  err: (bytes) => write(process.stderr, bytes),
  stdin: process.stdin,
  terminal: processTerminal(process),
  clock: createSystemClock(),
  env: process.env,
  signal: interrupt.signal,
};

const release = holdProcess();
void runCommandLine(process.argv.slice(2), io).then((code) => {
  process.exitCode = code;
  release();
  // A connection that is still open, such as stdin, must not keep the command from ending.
  process.stdout.write('', () => process.exit());
});

function write(stream: NodeJS.WriteStream, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    stream.write(bytes, () => resolve());
  });
}
