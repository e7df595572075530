import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { RegistrationSocket, type RegistrationSocketOptions } from '@podwright/test-device-plugin';
import { createSystemClock } from '@podwright/time';
import { PluginConnection, type PluginMethod } from './plugin-connection.js';
import { goRpcError } from './rpc-error.js';

const clock = createSystemClock();
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const getInfo: PluginMethod<string, number> = {
  path: '/pluginregistration.Registration/GetInfo',
  encode: () => Buffer.alloc(0),
  decode: (bytes) => bytes.length,
};
const info = { type: 'T', name: 'n', endpoint: '', supportedVersions: [] };

async function socketPath(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'connection-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  return path.join(directory, 'p.sock');
}

async function serve(socket: string, told: RegistrationSocketOptions['info']): Promise<void> {
  const plugin = new RegistrationSocket({ socket, info: told });
  await plugin.listen();
  undo.push(() => plugin.close());
}

async function connect(socket: string, signal?: AbortSignal): Promise<PluginConnection> {
  const connection = await PluginConnection.open(socket, {
    ...{ clock, connectTimeoutMs: 1_000, maxAnswerBytes: 1_000 },
    ...(signal !== undefined && { signal }),
  });
  undo.push(async () => connection.close());
  return connection;
}

describe('a connection to a plugin', () => {
  it('is made when the plugin serves a moment later, and gets answers', async () => {
    const socket = await socketPath();
    const opening = connect(socket);
    await clock.sleep(50);
    await serve(socket, info);
    expect(await (await opening).unary(getInfo, '')).toBe(6);
  });

  it('is given up in the words of Go, or with the signal', async () => {
    const socket = await socketPath();
    await expect(connect(socket)).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'context deadline exceeded',
    });
    const stopping = new AbortController();
    const opening = connect(socket, stopping.signal);
    stopping.abort(new KubeletError('enough', { code: 'cancelled' }));
    await expect(opening).rejects.toMatchObject({ code: 'cancelled', message: 'enough' });
  });

  it.each<[string, RegistrationSocketOptions['info'], string]>([
    ['fails', () => Promise.reject(new Error('no')), 'rpc error: code = Unknown desc = no'],
    [
      'hangs',
      () => new Promise<never>(() => undefined),
      'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    ],
  ])('tells of a call that %s as Go does', async (_case, told, text) => {
    const socket = await socketPath();
    await serve(socket, told);
    const connection = await connect(socket);
    const error = await connection.unary(getInfo, '', { timeoutMs: 100 }).catch((thrown: unknown) => thrown);
    expect(goRpcError(error)).toBe(text);
  });

  it('takes no answer that is too long, and no call once it is closed', async () => {
    const socket = await socketPath();
    await serve(socket, { ...info, name: 'x'.repeat(2_000) });
    const connection = await connect(socket);
    await expect(connection.unary(getInfo, '')).rejects.toMatchObject({ code: 'resource-exhausted' });
    connection.close();
    connection.close();
    await expect(connection.unary(getInfo, '')).rejects.toMatchObject({ code: 'cancelled' });
  });
});
