import { CommandError } from '../command-error.js';
import type { ServerAddress } from './server-address.js';

/** One line that says what is wrong with the connection, and what to do. */
export function connectionError(address: ServerAddress, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if ('socket' in address) {
    const { socket, others = [], choice } = address;
    if (choice !== undefined) {
      const options = choice.map((each) => `--socket=${each}`).join(' or ');
      return new CommandError(`Several kubelets of npm start run here: name one with ${options}`, { bare: true });
    }
    return new CommandError(socketFault([socket, ...others], code, message), { bare: true });
  }
  const place = `${address.host}:${address.port}`;
  return code === 'ECONNREFUSED'
    ? new CommandError(`The connection to the server ${place} was refused - did you specify the right host or port?`, {
        bare: true,
      })
    : new CommandError(`Unable to connect to the server: ${message}`, { bare: true });
}

const advice =
  'start kubelet-standalone, the kubelet or npm start, ' +
  'or name the socket of a running one with --socket or PODWRIGHT_SOCKET';

function socketFault(sockets: readonly string[], code: string | undefined, message: string): string {
  const [socket = ''] = sockets;
  switch (code) {
    case 'ENOENT':
      return `There is no socket ${sockets.join(' and none at ')}: ${advice}`;
    case 'ECONNREFUSED':
      return `Nobody listens on the socket ${socket}: ${advice}`;
    case 'EACCES':
      return `You may not open the socket ${socket}: it belongs to root, so use sudo`;
    default:
      return `Unable to connect to the socket ${socket}: ${message}`;
  }
}
