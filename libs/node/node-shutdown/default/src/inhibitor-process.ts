import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { abortable } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import type { InhibitorLock } from './logind.js';

/**
 * Takes logind's lock through a child process. The lock is a file descriptor, which Node cannot receive over a socket;
 * `systemd-inhibit` holds it while its command runs. That command is `cat` on our pipe: it ends, and releases the lock,
 * when we close the pipe or this process is killed. Its first echo shows that the lock is held.
 */
export async function holdInhibitorLock(command: readonly string[], signal: AbortSignal): Promise<InhibitorLock> {
  const [program = '', ...args] = [...command, 'cat'];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  // Writing to a command that has exited fails; its exit says more.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('close', (code, killedBy) => {
      const text = Buffer.concat(complaints).toString().trim();
      resolve(`${program} ended with ${killedBy ?? code}${text === '' ? '' : `: ${text}`}`);
    });
  });
  child.stdin.write('held\n');
  try {
    const problem = await abortable(Promise.race([once(child.stdout, 'data').then(() => undefined), ended]), signal);
    if (problem !== undefined) throw new KubeletError(problem, { code: 'unavailable' });
  } catch (error) {
    child.stdin.end();
    child.kill();
    await ended;
    throw new KubeletError(`the inhibitor lock cannot be taken: ${messageOf(error)}`, {
      code: 'unavailable',
      cause: error,
    });
  }
  child.unref();
  return {
    release: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
