import { mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { eventually, VirtualClock } from '@podwright/time';
import { SocketTree } from './socket-tree.js';

describe('SocketTree', () => {
  const clock = new VirtualClock();
  const servers: ReturnType<typeof createServer>[] = [];
  let base: string;
  let directory: string;
  let sockets: Set<string>;
  let tree: SocketTree;
  beforeEach(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'sockets-'));
    directory = path.join(base, 'plugins');
    await mkdir(directory);
    sockets = new Set();
    tree = new SocketTree({
      ...{ directory, clock, logger: createMemoryLogger(), maxSockets: 10 },
      onChange: (socket, identity) => {
        if (identity === undefined) sockets.delete(path.relative(directory, socket));
        else sockets.add(path.relative(directory, socket));
      },
    });
    await tree.scan();
  });
  afterEach(async () => {
    tree.stop();
    expect(clock.pendingTimers).toBe(0);
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    await rm(base, { recursive: true });
  });

  const listen = async (name: string): Promise<void> => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(path.join(directory, name), resolve));
  };

  it('finds sockets again after the folder was removed and made anew, whose plugin still listens', async () => {
    await listen('a.sock');
    await eventually(() => sockets.has('a.sock'));
    await rm(path.join(directory, 'a.sock'));
    await eventually(() => sockets.size === 0);
    await rmdir(directory);
    await eventually(() => !tree.watching);
    await mkdir(directory);
    await eventually(() => tree.watching);
    await listen('b.sock');
    await eventually(() => sockets.has('b.sock'));
  });

  it('finds sockets in a folder that was removed and made anew', async () => {
    await mkdir(path.join(directory, 'sub'));
    await listen('sub/a.sock');
    await eventually(() => sockets.has('sub/a.sock'));
    await rm(path.join(directory, 'sub'), { recursive: true });
    await mkdir(path.join(directory, 'sub'));
    await listen('sub/b.sock');
    await eventually(() => sockets.has('sub/b.sock') && sockets.size === 1);
  });
});
