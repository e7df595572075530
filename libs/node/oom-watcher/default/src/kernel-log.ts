// oxlint-disable-next-line no-restricted-imports -- a read of /dev/kmsg that may not wait copies from memory
import { constants, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A record that a process wrote. */
export const skipped = Symbol('skipped');
/** Records that are gone. */
export const lost = Symbol('lost');

/** The kernel's messages, oldest first. */
export interface KernelLog {
  /**
   * The next message as `parseRecord` returns it; {@link skipped} in place of one that counts for nothing, {@link lost} in
   * place of those that were overwritten before they were read; undefined when there is none at the moment. Throws when
   * the log cannot be read.
   */
  next(): string | typeof skipped | typeof lost | undefined;
  close(): Promise<void>;
}

export type OpenKernelLog = (file: string) => Promise<KernelLog>;

// One read returns one record; the kernel writes none longer (CONSOLE_EXT_LOG_MAX).
const longestRecordBytes = 8192;

/**
 * Opens `/dev/kmsg` without blocking: a read that waits for the next message would occupy a thread of the process's
 * small pool for ever and could not be cancelled on stop. Such a read only copies a record from memory, so it needs no
 * thread either: each start of a pod logs a dozen.
 */
export const openKernelLog: OpenKernelLog = async (file) => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(longestRecordBytes);
  return { next: () => nextMessage(handle.fd, buffer), close: () => handle.close() };
};

function nextMessage(file: number, buffer: Buffer): string | typeof skipped | typeof lost | undefined {
  try {
    const bytesRead = readSync(file, buffer, 0, buffer.length, null);
    return bytesRead === 0 ? undefined : (parseRecord(buffer.toString('utf8', 0, bytesRead)) ?? skipped);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'EAGAIN') return undefined;
    // The next read continues with the oldest one left.
    if (code === 'EPIPE') return lost;
    throw error;
  }
}

/**
 * The text of a record `level,sequence,microseconds,flags;text`; undefined for a record that a process wrote, which
 * cannot be trusted. Source: Linux Documentation/ABI/testing/dev-kmsg.
 */
export function parseRecord(record: string): string | undefined {
  const found = /^(\d+),[^;]*;([^\n]*)/.exec(record);
  // The facility is above the three bits of the level; the kernel's is 0.
  return found !== null && Number(found[1]) >> 3 === 0 ? found[2] : undefined;
}
