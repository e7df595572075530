// writeSync: nothing asynchronous runs any more when the process exits.
// oxlint-disable-next-line no-restricted-imports
import { write, writeSync } from 'node:fs';
import { createSystemClock, type Clock, type Timer } from '@podwright/time';

// Some ten thousand lines. The bound keeps the daemon from growing when nothing reads its log.
const mostUnreadBytes = 4 * 1024 * 1024;

/** Writes formatted lines. */
export interface LogSink {
  /** Writes one line, passed without its newline. Never throws, never blocks. */
  write(line: string): void;
  /** Resolves when all lines so far are written or dropped. */
  flush(): Promise<void>;
}

/** Lines that may wait to be written together. */
export interface SinkBuffer {
  /** Lines of this many bytes wait; one that does not fit any more makes all of them be written. */
  readonly bytes: number;
  /** Longest wait of a line. */
  readonly flushMs: number;
  readonly clock: Pick<Clock, 'setTimer'>;
}

/**
 * Writes lines to a file descriptor (2 = stderr) in batches, off the event loop. A full pipe does not block: up to 4
 * MiB of lines wait beyond the buffer, further ones are dropped, and a line reports their number. Waiting lines are
 * written when the process exits.
 */
export function createStreamSink(fileDescriptor = 2, buffer?: SinkBuffer): LogSink {
  const mostPendingBytes = mostUnreadBytes + (buffer?.bytes ?? 0);
  let due: Timer | undefined;
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
    // Collects all lines of this turn.
    await Promise.resolve();
    for (let text = take(); text !== ''; text = take()) await writeAll(fileDescriptor, Buffer.from(text));
    writing = undefined;
  };
  const start = (): void => {
    due?.cancel();
    due = undefined;
    writing ??= drain();
  };
  process.once('exit', () => {
    try {
      writeSync(fileDescriptor, take());
    } catch {
      dropped = 0; // The process exits, so the error cannot be reported.
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
      if (buffer === undefined || pendingBytes > buffer.bytes || writing !== undefined) start();
      else due ??= buffer.clock.setTimer(buffer.flushMs, start);
    },
    flush: async () => {
      start();
      while (writing !== undefined) await writing;
    },
  };
}

/** Drops the bytes when the descriptor is closed or broken: there is nowhere else to report that. */
async function writeAll(fileDescriptor: number, bytes: Buffer): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const written = await new Promise<number>((resolve) => {
      write(fileDescriptor, bytes, offset, bytes.length - offset, null, (error, count) => {
        if (error?.code === 'EAGAIN') resolve(0);
        else resolve(error === null ? count : bytes.length);
      });
    });
    offset += written;
    // A non-blocking pipe is full. Waits in real time, even under a virtual clock, because the reader is real.
    if (written === 0) await createSystemClock().sleep(10);
  }
}
