import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
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

// Below the ports of outgoing connections: one of those could take the port before the kubelet does.
const [lowestPort, highestPort] = [12_000, 32_000];

/** A free TCP port; of loopback by default. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, highestPort);
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') resolve(false);
        else reject(error);
      });
      server.listen(port, address, () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    return port;
  }
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
