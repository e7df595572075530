import { link, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, connectivityState, credentials, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@podwright/time';
import { ClientCalls, type GrpcMethod } from './client-calls.js';
import { SocketServer, StatusError } from './socket-server.js';

const texts: Omit<GrpcMethod<string, string>, 'path'> = {
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString(),
};
const shout: GrpcMethod<string, string> = { path: '/test.Words/Shout', ...texts };
const spell: GrpcMethod<string, string> = { path: '/test.Words/Spell', ...texts };

describe('a server on a unix socket', () => {
  let directory: string;
  let server: SocketServer;
  let client: Client;
  let calls: ClientCalls;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'socket-server-'));
    server = new SocketServer(path.join(directory, 's.sock'), { maxRequestBytes: 100 });
    server.unary(shout, (text) => {
      if (text === 'plain') throw new Error('no words');
      if (text === 'status') throw new StatusError(status.RESOURCE_EXHAUSTED, 'too many words');
      return text.toUpperCase();
    });
    server.stream(spell, async (stream) => {
      for (const letter of stream.request) stream.write(letter);
      if (stream.request === 'bad') throw new StatusError(status.DATA_LOSS, 'a letter is lost');
      stream.end();
    });
    client = new Client(`unix:${server.socket}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
    calls = new ClientCalls(async () => client, createSystemClock());
  });

  afterEach(async () => {
    client.close();
    server.close();
    await rm(directory, { recursive: true });
  });

  const spelled = async (word: string): Promise<readonly string[]> => {
    const letters: string[] = [];
    for await (const letter of calls.stream(spell, word, {})) letters.push(letter);
    return letters;
  };

  it('answers calls and streams', async () => {
    await server.listen();
    expect(server.listening).toBe(true);
    expect(await calls.unary(shout, 'hello', {})).toBe('HELLO');
    expect(await spelled('abc')).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['plain', 'unknown', 'no words'],
    ['status', 'resource-exhausted', 'too many words'],
    ['x'.repeat(101), 'resource-exhausted', expect.stringContaining('larger than max')],
  ])('answers with the status of what is thrown: %s', async (request, code, message) => {
    await server.listen();
    await expect(calls.unary(shout, request, {})).rejects.toMatchObject({ code, message });
  });

  it('ends a stream with the status of what its writer throws', async () => {
    await server.listen();
    await expect(spelled('bad')).rejects.toMatchObject({ code: 'data-loss', message: 'a letter is lost' });
  });

  it('closes connections, so that nobody waits on a server that is gone, and may be closed twice', async () => {
    await server.listen();
    await calls.unary(shout, 'hello', {});
    const channel = client.getChannel();
    const changed = new Promise<unknown>((resolve) =>
      channel.watchConnectivityState(connectivityState.READY, Infinity, resolve),
    );
    server.close();
    server.close();
    await changed;
    expect(server.listening).toBe(false);
  });

  it('takes over the socket of a server that was killed', async () => {
    const former = createServer();
    await new Promise<void>((resolve) => former.listen(`${server.socket}.former`, resolve));
    // A server that ends well removes its own name of the socket; the other one stays, as all do after a kill.
    await link(`${server.socket}.former`, server.socket);
    await new Promise((resolve) => former.close(resolve));
    await server.listen();
    expect(await calls.unary(shout, 'hello', {})).toBe('HELLO');
  });

  it('takes the place of a file and of a link, but not of a directory', async () => {
    const target = path.join(directory, 'target');
    await writeFile(target, 'mine');
    await writeFile(server.socket, 'a file');
    await server.listen();
    expect(await calls.unary(shout, 'hello', {})).toBe('HELLO');
    server.close();
    for (const leadsTo of [target, path.join(directory, 'nowhere')]) {
      await symlink(leadsTo, server.socket);
      await server.listen();
      expect((await lstat(server.socket)).isSocket()).toBe(true);
      server.close();
    }
    expect(await readFile(target, 'utf8')).toBe('mine');
    await mkdir(server.socket);
    await expect(server.listen()).rejects.toThrow('there is a directory: remove it');
  });

  it('takes nothing from a server that lives', async () => {
    await server.listen();
    const byLink = path.join(directory, 'link.sock');
    await symlink(server.socket, byLink);
    for (const socket of [server.socket, byLink]) {
      const second = new SocketServer(socket);
      await expect(second.listen()).rejects.toThrow('another process serves it: stop that process');
      second.close();
    }
    expect(await calls.unary(shout, 'hello', {})).toBe('HELLO');
  });
});
