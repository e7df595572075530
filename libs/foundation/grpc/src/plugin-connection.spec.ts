import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError, rpcErrorText } from '@podwright/errors';
import { createSystemClock } from '@podwright/time';
import type { GrpcMethod } from './client-calls.js';
import { PluginConnection } from './plugin-connection.js';
import { SocketServer } from './socket-server.js';

const clock = createSystemClock();
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const getInfo: GrpcMethod<string, number> = {
  path: '/pluginregistration.Registration/GetInfo',
  encode: () => Buffer.alloc(0),
  decode: (bytes) => bytes.length,
};
type Info = () => string | Promise<string>;

async function socketPath(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'connection-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  return path.join(directory, 'p.sock');
}

async function serve(socket: string, info: Info): Promise<SocketServer> {
  const plugin = new SocketServer(socket);
  plugin.unary({ path: getInfo.path, decode: (bytes) => bytes, encode: (text: string) => Buffer.from(text) }, info);
  await plugin.listen();
  undo.push(async () => plugin.close());
  return plugin;
}

async function connect(
  socket: string,
  options: { readonly signal?: AbortSignal; readonly connectTimeoutMs?: number } = {},
): Promise<PluginConnection> {
  const connection = await PluginConnection.open(socket, {
    ...{ clock, connectTimeoutMs: 20_000, maxAnswerBytes: 1_000 },
    ...options,
  });
  undo.push(async () => connection.close());
  return connection;
}

describe('a connection to a plugin', () => {
  it('is made when the plugin serves a moment later, and gets answers', async () => {
    const socket = await socketPath();
    const opening = connect(socket);
    await clock.sleep(50);
    await serve(socket, () => 'plugin');
    expect(await (await opening).unary(getInfo, '')).toBe(6);
  });

  it('is kept, when asked: it reports the plugin that comes, goes and comes again', async () => {
    const socket = await socketPath();
    const seen: boolean[] = [];
    const connection = PluginConnection.lazy(socket, { clock });
    undo.push(async () => connection.close());
    let changed: () => void = () => undefined;
    const reached = async (count: number): Promise<readonly boolean[]> => {
      while (seen.length < count) await new Promise<void>((resolve) => (changed = resolve));
      return seen;
    };
    connection.keepConnected((connected) => {
      seen.push(connected);
      changed();
    });
    const first = await serve(socket, () => 'plugin');
    expect(await reached(1)).toEqual([true]);
    first.close();
    expect(await reached(2)).toEqual([true, false]);
    await serve(socket, () => 'plugin');
    expect(await reached(3)).toEqual([true, false, true]);
    connection.close();
    connection.close();
    await expect(connection.unary(getInfo, '')).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('fails a call at once when it is made with the first call and the plugin does not accept', async () => {
    const socket = await socketPath();
    const missing = PluginConnection.lazy(socket, { clock });
    await expect(missing.unary(getInfo, '', { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'unavailable',
      message: `connection error: desc = "transport: Error while dialing: dial unix ${socket}: connect: no such file or directory"`,
    });
    missing.close();
    await serve(socket, () => 'plugin');
    const connection = PluginConnection.lazy(socket, { clock });
    undo.push(async () => connection.close());
    expect(await connection.unary(getInfo, '')).toBe(6);
  });

  it('is given up in the words of Go, or with the signal', async () => {
    const socket = await socketPath();
    await expect(connect(socket, { connectTimeoutMs: 300 })).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'context deadline exceeded',
    });
    const stopping = new AbortController();
    const opening = connect(socket, { signal: stopping.signal });
    stopping.abort(new KubeletError('enough', { code: 'cancelled' }));
    await expect(opening).rejects.toMatchObject({ code: 'cancelled', message: 'enough' });
  });

  it.each<[string, Info, number, string]>([
    ['fails', () => Promise.reject(new Error('no')), 20_000, 'rpc error: code = Unknown desc = no'],
    [
      'hangs',
      () => new Promise<never>(() => undefined),
      100,
      'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    ],
  ])('tells of a call that %s as Go does', async (_case, told, timeoutMs, text) => {
    const socket = await socketPath();
    await serve(socket, told);
    const connection = await connect(socket);
    const error = await connection.unary(getInfo, '', { timeoutMs }).catch((thrown: unknown) => thrown);
    expect(rpcErrorText(error)).toBe(text);
  });

  it('takes no answer that is too long, and no call once it is closed', async () => {
    const socket = await socketPath();
    await serve(socket, () => 'x'.repeat(2_000));
    const connection = await connect(socket);
    await expect(connection.unary(getInfo, '')).rejects.toMatchObject({ code: 'resource-exhausted' });
    connection.close();
    connection.close();
    await expect(connection.unary(getInfo, '')).rejects.toMatchObject({ code: 'cancelled' });
  });
});
