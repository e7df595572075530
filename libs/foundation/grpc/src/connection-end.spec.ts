import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ConnectionEnd } from './connection-end.js';

const settings = Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0);

/** What is said of the connection of a server that is killed once it has spoken, or has read what the client sent. */
async function endOf(server: { readonly speaks: boolean; readonly reads: boolean }): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'grpc-'));
  const socketPath = path.join(folder, 'sock');
  const listener = createServer({ pauseOnConnect: true });
  listener.listen(socketPath);
  await once(listener, 'listening');
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  const socket = connect(socketPath);
  const session = connectHttp2('http://localhost', { createConnection: () => socket });
  session.on('error', () => undefined);
  const ended = new Promise((resolve) => session.once('close', resolve));
  const end = new ConnectionEnd(session, socket, 'SOCKET');
  const [other] = await accepted;
  try {
    if (server.speaks) {
      other.write(settings);
      await once(session, 'remoteSettings');
    }
    // It has the client's greeting at least.
    if (server.reads) other.resume();
    while (socket.bytesWritten === 0 || (server.reads && other.bytesRead < socket.bytesWritten)) await turn();
    expect(end.words()).toBeUndefined();
    other.destroy();
    await ended;
    return end.words();
  } finally {
    session.destroy();
    other.destroy();
    await new Promise((resolve) => listener.close(resolve));
    await rm(folder, { recursive: true });
  }
}

describe('ConnectionEnd', () => {
  const reset = 'read unix @->SOCKET: read: connection reset by peer';

  it.each([
    [{ speaks: true, reads: false }, `error reading from server: ${reset}`],
    [{ speaks: true, reads: true }, 'error reading from server: EOF'],
    [{ speaks: false, reads: false }, `connection error: desc = "error reading server preface: ${reset}"`],
    [{ speaks: false, reads: true }, 'connection error: desc = "error reading server preface: EOF"'],
  ])('of a server that %j is told as %j', async (server, words) => {
    expect(await endOf(server)).toBe(words);
  });
});
