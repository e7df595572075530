import { connect } from 'node:net';

/** Where kubelet-standalone listens, and the kubelet, unless they are told otherwise. */
export const defaultSockets: readonly string[] = ['/run/podwright/podwright.sock', '/var/lib/kubelet/podwright.sock'];

/**
 * The first socket that somebody serves, else the first that is there; undefined when none is. One that a killed kubelet
 * has left hides none of those that follow.
 */
export async function socketAmong(sockets: readonly string[]): Promise<string | undefined> {
  let unusable: string | undefined;
  for (const socket of sockets) {
    const code = await connectFault(socket);
    if (code === undefined) return socket;
    if (code !== 'ENOENT') unusable ??= socket;
  }
  return unusable;
}

const connectFault = (socket: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const client = connect(socket);
    client.once('connect', () => {
      client.destroy();
      resolve(undefined);
    });
    client.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
  });
