// writeSync: for what is left when the process exits, nothing asynchronous runs then.
// eslint-disable-next-line @typescript-eslint/no-restricted-imports
import { write, writeSync } from 'node:fs';
import { createSystemClock } from '@podwright/time';

// Some ten thousand lines. A reader that has stopped reading must not make the daemon grow.
const mostPendingBytes = 4 * 1024 * 1024;

/** Where finished lines go. */
export interface LogSink {
  /** Takes one line without its newline. Never throws, never blocks. */
  write(line: string): void;
  /** Resolves when all lines taken so far are written or given up. */
  flush(): Promise<void>;
}

/**
 * Writes lines to a file descriptor (2 = stderr) off the event loop, many at a time. A full pipe blocks nothing: lines
 * wait up to a limit and are then dropped, and counted in a line of their own. What is left is written when the process exits.
 */
export function createStreamSink(fileDescriptor = 2): LogSink {
  let pending: string[] = [];
  let pendingBytes = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const take = (): string => {
    if (dropped > 0) pending.push(`${dropped} log lines dropped: the reader is too slow`);
    const text = pending.length === 0 ? '' : `${pending.join('\n')}\n`;
    [pending, pendingBytes, dropped] = [[], 0, 0];
    return text;
  };
  const drain = async (): Promise<void> => {
    // Lets the lines of one turn gather.
    await Promise.resolve();
    for (let text = take(); text !== ''; text = take()) await writeAll(fileDescriptor, Buffer.from(text));
    writing = undefined;
  };
  process.once('exit', () => {
    try {
      writeSync(fileDescriptor, take());
    } catch {
      dropped = 0; // Nobody is left to tell.
    }
  });
  return {
    write: (line) => {
      if (pendingBytes + line.length > mostPendingBytes) {
        dropped++;
        return;
      }
      pending.push(line);
      pendingBytes += line.length + 1;
      writing ??= drain();
    },
    flush: async () => {
      while (writing !== undefined) await writing;
    },
  };
}

/** A closed or broken descriptor is given up: there is no other place to say so. */
async function writeAll(fileDescriptor: number, bytes: Buffer): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const written = await new Promise<number>((resolve) => {
      write(fileDescriptor, bytes, offset, bytes.length - offset, null, (error, count) => {
        if (error?.code === 'EAGAIN') resolve(0);
        else resolve(error === null ? count : bytes.length);
      });
    });
    offset += written;
    // A non-blocking pipe that is full. Real time whatever clock the lines are stamped with: the reader is real.
    if (written === 0) await createSystemClock().sleep(10);
  }
}
