import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@podwright/time';
import { SocketClient } from './index.js';

const bytes = (buffer: Buffer): Buffer => buffer;
const settings = Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0);

/** What a call says when the server, which reads only what the case reads, does this with its connection. */
async function failureOf(serve: (socket: Socket) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'grpc-'));
  const socketPath = path.join(folder, 'sock');
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined);
    void serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const client = new SocketClient(socketPath, {
    clock: createSystemClock(),
    maxAnswerBytes: 1_000,
    connectTimeoutMs: 5_000,
  });
  try {
    const echo = { path: '/test.Echo/Echo', encode: bytes, decode: bytes };
    return await client.unary(echo, Buffer.from('ask')).then(
      () => 'no error',
      (error: Error) => error.message.replace(socketPath, 'SOCKET'),
    );
  } finally {
    client.close();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  }
}

describe('ConnectionEnd', () => {
  it('tells a server that is killed before it has read the call from one that is gone', async () => {
    const unread = await failureOf(async (socket) => {
      socket.write(settings);
      await delay(50);
      socket.destroy();
    });
    expect(unread).toBe('error reading from server: read unix @->SOCKET: read: connection reset by peer');
    const read = await failureOf(async (socket) => {
      socket.write(settings);
      socket.resume();
      await delay(50);
      socket.destroy();
    });
    expect(read).toBe('error reading from server: EOF');
  });

  it('says when the server has not begun to speak', async () => {
    const unread = await failureOf(async (socket) => {
      await delay(50);
      socket.destroy();
    });
    const reset = 'read unix @->SOCKET: read: connection reset by peer';
    expect(unread).toBe(`connection error: desc = "error reading server preface: ${reset}"`);
    const read = await failureOf(async (socket) => {
      socket.resume();
      await delay(50);
      socket.destroy();
    });
    expect(read).toBe('connection error: desc = "error reading server preface: EOF"');
  });
});
