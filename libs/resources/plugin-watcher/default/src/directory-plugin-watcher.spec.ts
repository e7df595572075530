import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { PluginHandler } from '@podwright/plugin-watcher-interface';
import { describePluginWatcherContract } from '@podwright/plugin-watcher-interface/contract';
import { RegistrationSocket } from '@podwright/test-device-plugin';
import { eventually } from '@podwright/time';
import { createDirectoryPluginWatcher } from './directory-plugin-watcher.module.js';
import { cleanHarnesses, clock, createWatcherHarness, undo } from './fixtures/watcher-harness.js';

afterEach(cleanHarnesses);

describePluginWatcherContract('DirectoryPluginWatcher', () => createWatcherHarness());

describe('DirectoryPluginWatcher', () => {
  const nobody: PluginHandler = {
    validate: async () => undefined,
    register: async () => undefined,
    deregister: async () => undefined,
  };
  const info = { type: 'T', name: 'a', endpoint: '', supportedVersions: [] };

  it('sees a socket that was made anew under the same name', async () => {
    const { watcher, serve, directory } = await createWatcherHarness();
    const calls: string[] = [];
    const note = (call: string) => async (): Promise<void> => void calls.push(call);
    watcher.addHandler('T', { validate: note('v'), register: note('r'), deregister: note('d') });
    await watcher.start();
    const first = await serve('a.sock', info);
    await eventually(() => first.statuses.length > 0);
    const second = await serve('a.sock', info);
    await eventually(() => second.statuses.length > 0);
    expect(calls.join('')).toBe('vrdvr');
    await rm(path.join(directory, 'a.sock'));
    await eventually(() => calls.length === 6);
    expect(calls[5]).toBe('d');
  });

  it('tells nobody at the start that there is no handler: parts that start later bring theirs, used at once', async () => {
    const minute = 60_000;
    const { watcher, serve, logger } = await createWatcherHarness({
      handlerGraceMs: minute,
      reconcilePeriodMs: minute,
    });
    await watcher.start();
    let asked = false;
    const plugin = await serve('a.sock', async () => {
      asked = true;
      return info;
    });
    await eventually(() => asked && logger.entries.length > 0);
    // Nothing is wrong, so it is no error.
    expect(logger.entries).toMatchObject([{ severity: 'info', message: 'Plugin waits for its handler' }]);
    watcher.addHandler('T', nobody);
    await eventually(() => plugin.statuses.length > 0);
    expect(plugin.statuses).toEqual([{ pluginRegistered: true, error: '' }]);
  });

  it('takes back a plugin that cannot be told', async () => {
    const { watcher, directory } = await createWatcherHarness();
    const calls: string[] = [];
    const note = (call: string) => async (): Promise<void> => void calls.push(call);
    watcher.addHandler('T', { validate: note('v'), register: note('r'), deregister: note('d') });
    const plugin = new RegistrationSocket({
      ...{ socket: path.join(directory, 'a.sock'), info },
      notified: () => Promise.reject(new Error('deaf')),
    });
    await plugin.listen();
    undo.push(() => plugin.close());
    await watcher.start();
    await eventually(() => calls.includes('d'));
    expect(calls.slice(0, 3)).toEqual(['v', 'r', 'd']);
  });

  it('counts what is there and what was taken', async () => {
    const { watcher, serve, metrics, directory } = await createWatcherHarness();
    watcher.addHandler('T', nobody);
    await watcher.start();
    const good = await serve('a.sock', info);
    const bad = await serve('b.sock', { ...info, type: 'U' });
    await writeFile(path.join(directory, 'file'), '');
    await eventually(() => good.statuses.length > 0 && bad.statuses.length > 0);
    let lines: readonly string[] = [];
    // A plugin hears that it is registered a moment before it counts.
    await eventually(async () => {
      lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('plugin_manager'));
      return lines.length >= 3;
    });
    expect(lines).toEqual(
      [
        ['a.sock', 'actual_state_of_world'],
        ['a.sock', 'desired_state_of_world'],
        ['b.sock', 'desired_state_of_world'],
      ].map(
        ([name, state]) =>
          `plugin_manager_total_plugins{socket_path="${directory}/${name ?? ''}",state="${state ?? ''}"} 1`,
      ),
    );
  });

  it('is not impressed by a socket that speaks something else', async () => {
    const { watcher, directory, serve, logger } = await createWatcherHarness();
    const registered: string[] = [];
    watcher.addHandler('T', { ...nobody, register: async ({ name }) => void registered.push(name) });
    let hungUp = false;
    const server = await new Promise<Server>((resolve) => {
      const noise = createServer((connection) => {
        undo.push(async () => void connection.destroy());
        connection
          .resume()
          .on('error', () => undefined)
          .on('close', () => (hungUp = true));
        connection.write('HTTP/1.1 200 OK\r\n\r\n'.repeat(1_000));
      });
      noise.listen(path.join(directory, 'noise.sock'), () => resolve(noise));
    });
    undo.push(async () => void server.close());
    await watcher.start();
    const huge = await serve('huge.sock', { ...info, name: 'x'.repeat(5 * 1024 * 1024) });
    const good = await serve('good.sock', info);
    await eventually(() => good.statuses.length > 0);
    const hugeSocket = path.join(directory, 'huge.sock');
    const failed = ({ severity, fields }: MemoryLogger['entries'][number]): boolean =>
      severity === 'error' && fields['socket'] === hugeSocket;
    await eventually(() => hungUp && logger.entries.some(failed));
    expect(registered).toEqual(['a']);
    expect(huge.statuses).toEqual([]);
  });

  it('does not start without its folder', async () => {
    const { directory } = await createWatcherHarness();
    await writeFile(path.join(directory, 'file'), '');
    const watcher = createDirectoryPluginWatcher(
      { clock, metrics: createMetricsRegistry(), logger: createMemoryLogger() },
      { directory: path.join(directory, 'file', 'x') },
    );
    await expect(watcher.start()).rejects.toMatchObject({ code: 'unavailable' });
    await watcher.stop();
  });
});
