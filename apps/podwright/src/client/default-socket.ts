import { connect } from 'node:net';

/** Where kubelet-standalone listens, and the kubelet, unless they are told otherwise. */
export const defaultSockets: readonly string[] = ['/run/podwright/podwright.sock', '/var/lib/kubelet/podwright.sock'];

/** The first socket that somebody serves, and the first that is there. */
export async function socketsAmong(
  sockets: readonly string[],
): Promise<{ readonly served?: string; readonly unusable?: string }> {
  let unusable: string | undefined;
  for (const socket of sockets) {
    const code = await connectFault(socket);
    if (code === undefined) return { served: socket };
    if (code !== 'ENOENT') unusable ??= socket;
  }
  return unusable === undefined ? {} : { unusable };
}

/** Why nobody can connect to a socket, as a code of the system; undefined when somebody serves it. */
export const connectFault = (socket: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const client = connect(socket);
    client.once('connect', () => {
      client.destroy();
      resolve(undefined);
    });
    client.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
  });
