import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TestShell } from '../fixtures/test-shell.js';
import { connectionError } from './connection-error.js';
import { serverAddress } from './server-address.js';

describe('the kubelets of npm start', () => {
  const servers: Server[] = [];
  let parent = '';

  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'podwright-started-'));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    await rm(parent, { recursive: true });
  });

  const folder = (name: string): string => path.join(parent, `podwright-start-${name}`);
  const socket = (name: string): string => path.join(folder(name), 'podwright.sock');

  async function start(name: string): Promise<void> {
    await mkdir(path.join(folder(name), 'root/console'), { recursive: true });
    await writeFile(path.join(folder(name), 'root/console/token'), name);
    await writeFile(path.join(folder(name), 'root/console/address'), '127.0.0.1:4194');
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(socket(name), resolve));
  }
  const found = (...usual: readonly string[]): ReturnType<typeof serverAddress> =>
    serverAddress({}, { TMPDIR: parent }, usual);

  it('are found when there is one and no other socket is served', async () => {
    await mkdir(folder('kept'));
    await start('a');
    expect(await found('/no/socket')).toEqual({ socket: socket('a') });
    await start('b');
    expect(await found('/no/socket', socket('b'))).toEqual({ socket: socket('b') });
  });

  it('are named when there are several', async () => {
    await start('a');
    await start('b');
    const { message } = connectionError(await found('/no/socket'), Object.assign(new Error(''), { code: 'ENOENT' }));
    expect(message).toBe(
      `Several kubelets of npm start run here: name one with --socket=${socket('a')} or --socket=${socket('b')}`,
    );
  });

  it('have their console found, too', async () => {
    const shell = new TestShell('/no/socket', { TMPDIR: parent });
    await start('a');
    expect((await shell.run('console')).out).toBe('http://127.0.0.1:4194/console/?token=a\n');
    await start('b');
    expect((await shell.run('console')).err).toBe(
      `error: several kubelets of npm start have a console: name one with --root-dir=${folder('a')}/root or --root-dir=${folder('b')}/root\n`,
    );
  });
});
