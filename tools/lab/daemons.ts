import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import net from 'node:net';
import { unlessMissing, waitUntil } from './commands.js';

/**
 * Starts a program that outlives this process and appends its output to a file. Resolves with the pid; rejects when the
 * program cannot be executed.
 */
export async function startDaemon(
  file: string,
  args: readonly string[],
  { env, logFile }: { env: NodeJS.ProcessEnv; logFile: string },
): Promise<number> {
  const log = await open(logFile, 'a');
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(file, args, { env, detached: true, stdio: ['ignore', log.fd, log.fd] });
      child.once('error', reject);
      child.once('spawn', () => {
        child.unref();
        resolve(child.pid ?? 0);
      });
    });
  } finally {
    await log.close();
  }
}

/** Waits until a program listens. Throws with the end of the log when it does not in time, or has exited. */
export async function waitForListener(
  target: net.NetConnectOpts,
  { what, logFile, alive }: { what: string; logFile: string; alive: () => Promise<boolean> },
): Promise<void> {
  let running = true;
  const check = async (): Promise<boolean> => {
    if (await accepts(target)) return true;
    running = await alive();
    return !running;
  };
  const done = await waitUntil(check, { timeoutMs: 30_000 });
  if (done && running) return;
  const log = (await unlessMissing(readFile(logFile, 'utf8'))) ?? '';
  throw new Error(`${what} ${running ? 'does not listen' : 'has ended'}; its log ends with:\n${log.slice(-3000)}`);
}

/** A port of the loopback address that is currently free. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the kernel gave no port');
  return address.port;
}

function accepts(target: net.NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(target);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}
