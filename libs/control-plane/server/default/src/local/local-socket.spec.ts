import { lstat, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getFromSocket } from '../fixtures/get-from-socket.js';
import { assertNotServed, bindSocket } from './local-socket.js';

let folder: string;
let socket: string;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'local-socket-'));
  socket = path.join(folder, 'run', 'podwright.sock');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

function saying(words: string): Server {
  const server = createServer((_request, response) => response.end(words));
  servers.push(server);
  return server;
}

describe('the socket of the local API', () => {
  it('is for its owner alone, and nothing else is left beside it', async () => {
    const unbind = await bindSocket(saying('hello'), socket);
    expect((await getFromSocket(socket, '/')).body).toBe('hello');
    expect((await lstat(socket)).mode & 0o7777).toBe(0o600);
    expect(await readdir(path.dirname(socket))).toEqual(['podwright.sock']);
    await unbind();
    await unbind();
    expect(await readdir(path.dirname(socket))).toEqual([]);
  });

  it('replaces that of a server that was killed', async () => {
    const killed = saying('killed');
    await bindSocket(killed, socket);
    await rename(socket, `${socket}.kept`);
    await new Promise((resolve) => killed.close(resolve));
    await rename(`${socket}.kept`, socket);
    await bindSocket(saying('new'), socket);
    expect((await getFromSocket(socket, '/')).body).toBe('new');
  });

  it('takes nothing from a server that lives, and does not listen then', async () => {
    const unbind = await bindSocket(saying('first'), socket);
    const second = saying('second');
    await expect(bindSocket(second, socket)).rejects.toThrow('another process serves it: stop that process');
    expect(second.listening).toBe(false);
    await expect(assertNotServed(socket)).rejects.toThrow(`${socket} is taken: another process serves it`);
    for (const free of ['', `${socket}-free`]) await assertNotServed(free);
    expect((await getFromSocket(socket, '/')).body).toBe('first');
    await unbind();
  });

  it('removes no socket but its own', async () => {
    const unbind = await bindSocket(saying('first'), socket);
    await rm(socket);
    await bindSocket(saying('second'), socket);
    await unbind();
    expect((await getFromSocket(socket, '/')).body).toBe('second');
  });

  it('lets exactly one of two that start together have it', async () => {
    const started = [saying('a'), saying('b')].map((server) => bindSocket(server, socket));
    const ends = await Promise.allSettled(started);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await getFromSocket(socket, '/')).body).toBe(ends[0]?.status === 'fulfilled' ? 'a' : 'b');
  });

  it('leaves a file alone that is no socket', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, 'mine');
    await expect(bindSocket(saying('hello'), file)).rejects.toThrow('there is something that is no socket: remove it');
    expect((await lstat(file)).size).toBe(4);
  });

  it('says how much too long a path is', async () => {
    const long = path.join(folder, 'x'.repeat(120));
    await expect(bindSocket(saying('hello'), long)).rejects.toThrow(
      `the path of the socket is ${long.length - 107} characters too long`,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
