import { chmod, link, lstat, mkdtemp, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import path from 'node:path';
import { isMissing, KubeletError } from '@podwright/errors';
import { makeDirectory } from '@podwright/filesystem';

// The kernel's limit of a socket address, without its last byte.
const longestPath = 107;

/**
 * Makes the server listen on a socket that root alone may connect to. It binds in a folder of its own and links the
 * socket to its path afterwards, so that nobody can connect before its mode is set. Replaces the socket of a server that
 * was killed, and takes nothing from one that lives. Resolves with a function that removes the socket.
 */
export async function bindSocket(server: Server, socketPath: string): Promise<() => Promise<void>> {
  const directory = path.dirname(socketPath);
  await makeDirectory(directory);
  // Not path.join, which would make a folder beside this one, perhaps on another mount.
  const folder = await mkdtemp(`${directory}${path.sep}.`);
  try {
    const bound = path.join(folder, 's');
    const excess = Math.max(bound.length, socketPath.length) - longestPath;
    if (excess > 0) throw unusable(`the path of the socket is ${excess} characters too long`);
    await listen(server, bound);
    await chmod(bound, 0o600);
    await publish(bound, socketPath);
    const { ino } = await lstat(socketPath);
    return async () => {
      if ((await inodeOf(socketPath)) === ino) await rm(socketPath, { force: true });
    };
  } catch (error) {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rejects when another process serves the socket; for callers that must know before they start. Empty: nothing to ask. */
export async function assertNotServed(socketPath: string): Promise<void> {
  if (socketPath !== '' && (await isServed(socketPath)))
    throw unusable(`${socketPath} is taken: another process serves it: stop that process, or choose another socket`);
}

async function publish(bound: string, socketPath: string): Promise<void> {
  await removeStale(socketPath);
  try {
    await link(bound, socketPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw unusable('another process has just begun to serve it');
  }
}

async function removeStale(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (!found.isSocket()) throw unusable('there is something that is no socket: remove it');
  if (await isServed(socketPath)) throw unusable('another process serves it: stop that process');
  await rm(socketPath, { force: true });
}

// A server that is too busy to accept (EAGAIN) lives too.
function isServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socketPath);
    client.once('connect', () => resolve(true));
    client.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
    client.once('connect', () => client.destroy());
  });
}

const inodeOf = async (file: string): Promise<number | undefined> => {
  try {
    return (await lstat(file)).ino;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const listen = (server: Server, bound: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(bound, () => {
      server.off('error', reject);
      resolve();
    });
  });

const unusable = (message: string): KubeletError => new KubeletError(message, { code: 'failed-precondition' });
