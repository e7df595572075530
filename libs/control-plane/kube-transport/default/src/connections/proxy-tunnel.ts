import type { Socket } from 'node:net';
import { KubeletError } from '@podwright/errors';
import { joinHostPort } from '@podwright/http-action';

const mostHeaderBytes = 64 * 1024;

/**
 * Sends CONNECT for the host to a proxy over its socket. Resolves when the socket is a tunnel to the host. Rejects with
 * `unavailable` when the proxy refuses or the socket breaks; the caller then closes the socket, also on a timeout.
 */
export async function openTunnel(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  const target = joinHostPort(host, port);
  const { username, password } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const authorization = username === '' && password === '' ? '' : `Proxy-Authorization: Basic ${login}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  const head = await readHead(socket);
  const [status = ''] = head.split('\r\n', 1);
  if (/^HTTP\/1\.[01] 2\d\d\b/.test(status)) return;
  throw new KubeletError(`proxy ${proxy.host} refuses the way to ${target}: ${status.slice(0, 200)}`, {
    code: 'unavailable',
  });
}

/**
 * Reads up to the empty line; nothing of the server can follow the head, because a server waits for the client's first
 * bytes.
 */
function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const done = (settle: () => void): void => {
      socket.off('data', data).off('error', fail).off('close', closed);
      socket.pause();
      settle();
    };
    const data = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) done(() => resolve(head));
      else if (head.length > mostHeaderBytes) fail(new Error('the answer of the proxy is too long'));
    };
    const fail = (error: Error): void => done(() => reject(error));
    const closed = (): void => fail(new Error('the proxy closed the connection'));
    socket.on('data', data).on('error', fail).on('close', closed);
    socket.resume();
  });
}
