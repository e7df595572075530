import { connect } from 'node:net';

/**
 * Whether a process listens on the unix socket. A server that is too busy to accept (EAGAIN), or that this process may
 * not reach, counts too; a socket that its server left behind does not.
 */
export function isSocketServed(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(socketPath);
    client.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
    client.once('connect', () => {
      client.destroy();
      resolve(true);
    });
  });
}
