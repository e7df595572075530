import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import type { Clock } from '@podwright/time';
import { constants } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { startLockHolder } from './lock-holder.js';

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
 * lock, the file is removed, or the lock is lost. Rejects when there can be no lock, and when the signal aborts.
 * flock(1) takes the lock, because Node.js has no such call. Source: kubernetes v1.36 cmd/kubelet/app/server.go,
 * server_linux.go, pkg/util/flock.
 */
export async function holdLockFile(
  { lockFile, exitOnLockContention }: LockFileOptions,
  deps: LockFileDeps,
  onContention: () => void,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  if (lockFile === '') return async () => undefined;
  deps.logger.info('Acquiring file lock', { path: lockFile });
  let file: FileHandle | undefined;
  try {
    file = await open(lockFile, constants.O_CREAT | constants.O_RDWR, 0o600);
    if (exitOnLockContention) return await holdUntilContention(lockFile, file, deps, onContention, signal);
    // The lock belongs to the open file, which both processes share: it stays when flock(1) has ended.
    const { problem, stderr } = await deps.run({ file: 'flock', args: ['-x', '3'], descriptors: [file.fd] }, signal);
    signal.throwIfAborted();
    if (problem !== undefined) throw new Error([problem, stderr.trim()].filter((part) => part !== '').join(': '));
    return file.close.bind(file);
  } catch (error) {
    await file?.close();
    signal.throwIfAborted();
    const message = `unable to acquire file lock on ${JSON.stringify(lockFile)} (--lock-file): ${messageOf(error)}`;
    throw new KubeletError(message, { code: 'unavailable', cause: error });
  }
}

async function holdUntilContention(
  lockFile: string,
  file: FileHandle,
  { clock, logger }: LockFileDeps,
  onContention: () => void,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const holder = await startLockHolder(file.fd, signal);
  const watching = new AbortController();
  const leave = (event: string | undefined): void => {
    if (event === undefined || watching.signal.aborted) return;
    logger.info('Lock file is contended, stopping', { path: lockFile, event });
    watching.abort();
    onContention();
  };
  void holder.ended.then(() => leave('the process that held the lock has ended'));
  const watch = clock.every(
    contentionPollMs,
    async () => leave(await contentionOf(file, holder.place)),
    watching.signal,
  );
  return async () => {
    watching.abort();
    await watch;
    await holder.release();
    await file.close();
  };
}

/** Why the lock should be given up; undefined: nobody asks for it. */
async function contentionOf(file: FileHandle, place: string): Promise<string | undefined> {
  try {
    if ((await file.stat()).nlink === 0) return 'the file was removed';
    return waitingProcess(await readFile('/proc/locks', 'utf8'), place);
  } catch (error) {
    return `it cannot be watched: ${messageOf(error)}`;
  }
}

/** A waiting process is a line such as `1: -> FLOCK  ADVISORY  WRITE 23333 fe:00:5368232 0 EOF`. */
function waitingProcess(locks: string, place: string): string | undefined {
  const line = new RegExp(`^\\d+:\\s+->\\s+FLOCK\\s.*\\s(-?\\d+) ${place}\\s`, 'm').exec(locks);
  if (line === null) return undefined;
  return line[1] === '0'
    ? 'a process of another PID namespace waits for the lock'
    : `process ${line[1]} waits for the lock`;
}
