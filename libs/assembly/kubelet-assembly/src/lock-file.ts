import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';
import { constants } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';

// The kernel has no event for "somebody waits for this lock".
const contentionPollMs = 1_000;

export interface LockFileOptions {
  /** Empty: no lock. */
  readonly lockFile: string;
  readonly exitOnLockContention: boolean;
}

export interface LockFileDeps {
  readonly run: RunProgram;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Waits for the exclusive flock(2) lock of `--lock-file` and holds it until the returned function is called or this
 * process ends. With `--exit-on-lock-contention`, it then calls `onContention` once when another process waits for the
 * lock, or the file is removed. Rejects when there can be no lock, and when the signal aborts. flock(1) takes the lock,
 * because Node.js has no such call: a lock belongs to the open file that both processes share. Source: kubernetes v1.36
 * cmd/kubelet/app/server.go, server_linux.go, pkg/util/flock.
 */
export async function holdLockFile(
  { lockFile, exitOnLockContention }: LockFileOptions,
  { run, clock, logger }: LockFileDeps,
  onContention: () => void,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  if (lockFile === '') return async () => undefined;
  logger.info('Acquiring file lock', { path: lockFile });
  const file = await lock(lockFile, run, signal);
  const watching = new AbortController();
  let watch = Promise.resolve();
  if (exitOnLockContention) {
    const leave = (event: string): void => {
      logger.info('Lock file is contended, stopping', { path: lockFile, event });
      watching.abort();
      onContention();
    };
    const look = async (): Promise<void> => {
      const event = await contentionOf(file);
      if (event !== undefined && !watching.signal.aborted) leave(event);
    };
    watch = clock.every(contentionPollMs, look, watching.signal);
  }
  return async () => {
    watching.abort();
    await watch;
    await file.close();
  };
}

async function lock(lockFile: string, run: RunProgram, signal: AbortSignal): Promise<FileHandle> {
  const fault = (reason: string, cause?: unknown): KubeletError =>
    new KubeletError(`unable to acquire file lock on ${JSON.stringify(lockFile)} (--lock-file): ${reason}`, {
      code: 'unavailable',
      cause,
    });
  const file = await open(lockFile, constants.O_CREAT | constants.O_RDWR, 0o600).catch((error: unknown) => {
    throw fault(messageOf(error), error);
  });
  const { problem, stderr } = await run({ file: 'flock', args: ['--exclusive', '3'], descriptors: [file.fd] }, signal);
  if (problem === undefined) return file;
  await file.close();
  signal.throwIfAborted();
  throw fault([problem, stderr.trim()].filter((part) => part !== '').join(': '));
}

/** Why the lock should be given up; undefined: nobody asks for it. */
async function contentionOf(file: FileHandle): Promise<string | undefined> {
  try {
    const { dev, ino, nlink } = await file.stat({ bigint: true });
    if (nlink === 0n) return 'the file was removed';
    return waitingProcess(await readFile('/proc/locks', 'utf8'), dev, ino);
  } catch (error) {
    return `it cannot be watched: ${messageOf(error)}`;
  }
}

/** A waiting process is a line such as `1: -> FLOCK  ADVISORY  WRITE 23333 fe:00:5368232 0 EOF`. */
function waitingProcess(locks: string, dev: bigint, ino: bigint): string | undefined {
  const [major, minor] = [(dev >> 8n) & 0xfffn, (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)];
  const place = [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
  const line = new RegExp(`^\\d+:\\s+->\\s+FLOCK\\s.*\\s(-?\\d+) ${place}:${ino}\\s`, 'm').exec(locks);
  return line === null ? undefined : `process ${line[1]} waits for the lock`;
}
