import type { Clock } from '@podwright/time';
import type { Readable } from 'node:stream';
import type { Terminal } from './streams/terminal.js';

/** Everything that a command reads from and writes to. Specs replace it. */
export interface CommandIo {
  /** Resolves when the reader has room for more, so that a slow reader slows the command. */
  out(text: string | Uint8Array): Promise<void>;
  err(text: string | Uint8Array): Promise<void>;
  readonly stdin: Readable;
  /** Undefined when stdin is not a terminal. */
  readonly terminal: Terminal | undefined;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts on Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
}
