import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { RuntimeSocket } from './runtime-socket.js';

describe('a socket towards the runtime', () => {
  it('is read to its end when the runtime has closed and the client still speaks', async () => {
    const server = createServer((peer) => peer.end(Buffer.alloc(50_000, 'x'), () => peer.destroy()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const closed = once(server, 'connection').then(([peer]) => once(peer as Socket, 'close'));
    const socket = new RuntimeSocket({ allowHalfOpen: true });
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    await Promise.all([once(socket, 'connect'), closed]);
    // The first is answered with a reset, which breaks the second.
    for (const ping of ['one', 'two', 'three']) await new Promise((resolve) => socket.write(ping, resolve));
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
    await once(socket, 'end');
    expect(bytes).toBe(50_000);
    socket.destroy();
    server.close();
    await once(server, 'close');
  });
});
