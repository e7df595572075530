import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { CommandError } from '../command-error.js';
import { defaultSockets, socketsAmong } from './default-socket.js';
import { startedKubelets } from './started-kubelets.js';

/** Where the API is: a unix socket on this machine, or an HTTPS server that asks for a client certificate or a token. */
export type ServerAddress =
  | {
      readonly socket: string;
      /** The other sockets that were tried, when nobody named one and none is there. */
      readonly others?: readonly string[];
      /** Those of several kubelets of `npm start`, of which none is the one to ask. */
      readonly choice?: readonly string[];
    }
  | {
      readonly host: string;
      readonly port: number;
      readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;
      /** Bearer token. */
      readonly token?: string;
    };

export interface AddressFlags {
  readonly socket?: string;
  readonly server?: string;
  readonly 'client-certificate'?: string;
  readonly 'client-key'?: string;
  readonly 'certificate-authority'?: string;
}

/** Reads the flags; without any the socket of PODWRIGHT_SOCKET, else one of `usual`, else that of `npm start`. */
export async function serverAddress(
  flags: AddressFlags,
  env: Readonly<Record<string, string | undefined>>,
  usual: readonly string[] = defaultSockets,
): Promise<ServerAddress> {
  const { server } = flags;
  if (server === undefined) {
    const given = flags.socket ?? nonEmpty(env.PODWRIGHT_SOCKET);
    return given === undefined ? usualAddress(usual, env) : { socket: given };
  }
  if (flags.socket !== undefined) throw new CommandError('--socket and --server cannot be specified together');
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' || url.pathname !== '/') {
    throw new CommandError(`--server must be https://HOST:PORT, not ${JSON.stringify(server)}`);
  }
  const [ca, cert, key] = await Promise.all(
    (['certificate-authority', 'client-certificate', 'client-key'] as const).map((flag) => fileOf(flag, flags[flag])),
  );
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
    tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
  };
}

/** A socket that a killed kubelet has left, or that belongs to another user, hides none that is served. */
async function usualAddress(
  sockets: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ServerAddress> {
  const { served, unusable } = await socketsAmong(sockets);
  if (served !== undefined) return { socket: served };
  const started = (await startedKubelets(env)).map(({ socket }) => socket);
  const [only, ...more] = started;
  if (only !== undefined && more.length === 0) return { socket: only };
  if (unusable !== undefined && only === undefined) return { socket: unusable };
  const [first = '', ...others] = sockets;
  return { socket: first, others, ...(only !== undefined && { choice: started }) };
}

async function fileOf(flag: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    throw new CommandError(`unable to read --${flag} ${file}: ${(error as Error).message}`);
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
