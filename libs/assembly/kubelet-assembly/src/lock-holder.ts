import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { onAbort } from '@podwright/time';

/** A process that has the lock of a file. */
export interface LockHolder {
  /** How `/proc/locks` names the file. It need not be what stat(2) says: btrfs and overlayfs differ. */
  readonly place: string;
  /** Settles when the process has ended, and the lock with it. */
  readonly ended: Promise<void>;
  release(): Promise<void>;
}

/**
 * Waits for the flock(2) lock of an open file in a process that lives until it is released or this process ends. In a
 * PID namespace `/proc/locks` shows a lock, and who waits for it, only while the process that took it lives. Rejects
 * with what flock(1) or cat(1) printed, and when the signal aborts.
 */
export async function startLockHolder(fd: number, signal: AbortSignal): Promise<LockHolder> {
  signal.throwIfAborted();
  const child = spawn('flock', ['-x', '/proc/self/fd/3', 'cat'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', fd],
  }) as ChildProcessWithoutNullStreams;
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw (await once(child, 'error'))[0];
  const ended = once(child, 'close').then(() => undefined);
  const kill = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
  };
  const unsubscribe = onAbort(signal, kill);
  let fault = '';
  stderr.on('data', (chunk: Buffer) => (fault += chunk.toString()));
  // It ends without reading this when it cannot take the lock.
  stdin.on('error', () => undefined);
  stdin.write('locked\n');
  // cat(1) begins when flock(1) has the lock.
  const isLocked = await Promise.race([once(stdout, 'data').then(() => true), ended.then(() => false)]);
  unsubscribe();
  signal.throwIfAborted();
  if (!isLocked) throw new Error(fault === '' ? 'flock(1) has ended' : fault.trim());
  const release = async (): Promise<void> => {
    kill();
    await ended;
  };
  try {
    return { place: await placeOfLock(pid), ended, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** From a line such as `lock: 1: FLOCK  ADVISORY  WRITE 23333 fe:00:5368232 0 EOF` of the descriptor that has the lock. */
async function placeOfLock(pid: number): Promise<string> {
  const folder = `/proc/${pid}/fdinfo`;
  for (const name of await readdir(folder)) {
    const line = /^lock:\s.*\sFLOCK\s.*\s(\S+:\S+:\d+)\s\S+\sEOF$/m.exec(await readFile(`${folder}/${name}`, 'utf8'));
    if (line !== null) return line[1] as string;
  }
  throw new Error(`${folder} does not show the lock, so nobody can be seen to wait for it`);
}
