import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { KubeletError } from '@podwright/errors';
import { LogNode } from './fixtures/log-node.js';
import type { GzipLogRotation } from './gzip-log-rotation.js';

const large = 'x'.repeat(1000);
const older = '0.log.20200101-000001';

describe('GzipLogRotation', () => {
  let node: LogNode;
  let rotation: GzipLogRotation;
  beforeEach(async () => {
    node = await LogNode.create();
    rotation = node.rotation();
  });
  afterEach(async () => {
    await rotation.stop();
    await node.dispose();
  });

  it('refuses fewer than two files, no worker, and times that are none', () => {
    for (const options of [{ maxFiles: 1 }, { workers: 0 }, { intervalMs: 0 }]) {
      expect(() => node.rotation(options)).toThrow(Object.keys(options)[0]);
    }
  });

  it('does nothing with a negative size but removing logs when asked', async () => {
    rotation = node.rotation({ maxSizeBytes: -1 });
    const logPath = await node.add('app');
    await node.write('app', large);
    await rotation.start();
    await rotation.rotateDueLogs();
    await node.pass(60_000);
    expect(node.calls).toEqual([]);
    expect(await node.files('app')).toEqual(['0.log']);
    await rotation.clean(logPath);
    expect(await node.files('app')).toEqual([]);
  });

  it('asks the runtime where a log is once in the life of a container', async () => {
    await node.add('app');
    for (let look = 0; look < 3; look++) await rotation.rotateDueLogs();
    expect(node.calls).toEqual(['list', 'status app', 'list', 'list']);
  });

  it('asks the runtime nothing that the kubelet knows', async () => {
    const logPath = await node.add('app');
    await node.write('app', large);
    const container = { id: 'app', state: 'running', logPath };
    const ended = { id: 'ended', state: 'exited', logPath: '/nowhere' };
    const uid = createHash('md5').update('app').digest('hex');
    let pods: readonly unknown[] | undefined = [{ uid, containers: [container, ended], sandboxes: [] }];
    let inspection = (): unknown => ({ containers: [container] });
    rotation = node.rotation(
      {},
      {
        view: { pods: () => pods as never },
        cache: { get: (asked) => (asked === uid ? inspection() : undefined) as never },
      },
    );
    await rotation.rotateDueLogs();
    expect(node.calls).toEqual(['reopen app']);
    expect(await node.files('app')).toHaveLength(2);

    // The pleg cannot vouch for its view any more, and the pod's inspection has failed.
    pods = undefined;
    inspection = () => {
      throw new Error('inspection failed');
    };
    await node.add('late');
    await rotation.rotateDueLogs();
    expect(node.calls).toEqual(['reopen app', 'list', 'status late']);
  });

  it('says when a disk does not tell a size, and goes on with the other logs', async () => {
    await node.add('app');
    await node.write('app', large);
    await mkdir(path.join(node.dir, 'ns_pod_u1'));
    const logPath = path.join(node.dir, 'ns_pod_u1', 'x'.repeat(300)); // no file system takes such a name
    const pods = [{ uid: 'u1', containers: [{ id: 'odd', state: 'running', logPath }], sandboxes: [] }];
    const cache = { get: () => pods[0] as never };
    rotation = node.rotation(
      {},
      {
        view: {
          pods: () =>
            [
              ...pods,
              { uid: createHash('md5').update('app').digest('hex'), containers: [{ id: 'app', state: 'running' }] },
            ] as never,
        },
        cache,
      },
    );
    await rotation.rotateDueLogs();
    expect(await node.files('app')).toHaveLength(2);
    expect(node.errors()).toEqual([
      expect.stringMatching(/^Failed to inspect container log: Failed to stat container log: /),
    ]);
  });

  it('compresses to the same bytes with the mode of the original, in blocks', async () => {
    await node.add('app');
    const text = randomBytes(1_500_000).toString('hex');
    await node.put('app', older, text);
    await chmod(path.join(node.folder('app'), older), 0o606);
    await node.write('app', large);
    await rotation.rotateDueLogs();
    const packed = path.join(node.folder('app'), `${older}.gz`);
    expect((await stat(packed)).mode & 0o777).toBe(0o606);
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(digest(gunzipSync(await readFile(packed)))).toBe(digest(Buffer.from(text)));
  });

  it('rotates though an older file cannot be packed, which stays as it is and is told with its path', async () => {
    await node.add('app');
    await node.put('app', older, 'old');
    await mkdir(path.join(node.folder('app'), `${older}.tmp`)); // as a full disk would, it keeps the packed one from being made
    await node.write('app', large);
    await rotation.rotateDueLogs();
    expect(await node.files('app')).toEqual(['0.log', older, `${older}.tmp`, expect.stringMatching(/^0\.log\.2026/)]);
    expect(await node.content('app', older)).toBe('old');
    const entry = node.logger.entries.find(({ severity }) => severity === 'error');
    expect(entry).toMatchObject({
      message: 'failed to compress log',
      fields: { path: path.join(node.folder('app'), older) },
    });
  });

  it('names files by the local time, and never writes over one', async () => {
    await node.add('app');
    await node.write('app', large);
    const at = new Date(node.clock.now());
    const two = (value: number): string => String(value).padStart(2, '0');
    await rotation.rotateDueLogs();
    const name = `0.log.20260304-${two(at.getHours())}${two(at.getMinutes())}07`;
    expect(await node.files('app')).toEqual(['0.log', name]);
    await node.write('app', large);
    await rotation.rotateDueLogs(); // in the same second
    expect(await node.files('app')).toEqual(['0.log', name]);
    expect(node.errors()).toEqual([expect.stringContaining(`${name} is there already`)]);
    await node.pass(1_000);
    await rotation.rotateDueLogs();
    expect(await node.files('app')).toHaveLength(3);
  });

  describe('a runtime', () => {
    it('that refuses to open a log is told of with container and path, and older files are compressed all the same', async () => {
      const logPath = await node.add('app');
      await node.put('app', older, 'old');
      await node.write('app', large);
      node.onReopen.set('app', () => Promise.reject(new Error('no such task')));
      await rotation.rotateDueLogs();
      expect(await node.files('app')).toEqual(['0.log', `${older}.gz`]);
      expect(node.errors()).toEqual([
        'Failed to rotate log for container: failed to reopen container log "app": no such task',
      ]);
      const entry = node.logger.entries.find(({ severity }) => severity === 'error');
      expect(entry?.fields).toMatchObject({ containerId: 'app', path: logPath, currentSize: 1000, maxSize: 1000 });
    });

    it('that has opened a log and could not say so keeps it', async () => {
      await node.add('app');
      await node.write('app', large);
      node.onReopen.set('app', async () => {
        await node.reopen('app');
        throw new Error('connection lost');
      });
      await rotation.rotateDueLogs();
      await node.write('app', 'next');
      const [log, rotated] = await node.files('app');
      expect(await node.content('app', log ?? '')).toBe('next');
      expect(await node.content('app', rotated ?? '')).toBe(large);
      expect(node.errors()).toEqual([]);
    });

    it('that hangs at one container delays no other for longer than the patience', async () => {
      rotation = node.rotation({ patienceMs: 3_000 });
      await node.add('stuck');
      await node.write('stuck', large);
      let wake = (): void => undefined;
      node.onReopen.set('stuck', () => new Promise((resolve) => (wake = resolve)));
      await rotation.start();
      await node.pass(0);
      await node.add('app');
      await node.write('app', large);
      await node.add('silent');
      node.hangingStatus = 'silent';
      await node.pass(10_000);
      expect(await node.files('app')).toHaveLength(2);
      await node.write('app', large);
      await node.pass(13_000); // the look itself waits for the one that is silent
      expect(await node.files('app')).toHaveLength(3);
      expect(node.calls.filter((call) => call === 'reopen stuck')).toHaveLength(1);
      wake();
    });

    it('that cannot list is told of once, and shown until it can', async () => {
      node.listError = new Error('down');
      await rotation.start();
      await node.pass(20_000);
      expect(node.errors()).toEqual(['Failed to rotate container logs: failed to list containers: down']);
      expect(rotation.healthy()).toEqual({
        ok: true,
        detail: 'logs are not checked: failed to list containers: down',
      });
      await expect(rotation.rotateDueLogs()).rejects.toThrow('failed to list containers: down');
      node.listError = undefined;
      await node.pass(10_000);
      expect(rotation.healthy()).toEqual({ ok: true });
    });
  });

  describe('after a kubelet that died', () => {
    it('between the new name and the new file, the runtime opens one and nothing is lost', async () => {
      const logPath = await node.add('app');
      await node.write('app', large);
      await rename(logPath, `${logPath}.20200101-000001`);
      await node.write('app', 'late');
      await rotation.rotateDueLogs();
      await node.write('app', 'next');
      expect(await node.files('app')).toEqual(['0.log', older]);
      expect(await node.content('app', older)).toBe(`${large}late`);
      expect(await node.content('app', '0.log')).toBe('next');
    });

    it('half a file is gone at the first look, though the log is small', async () => {
      await node.add('app');
      await node.put('app', older, 'whole');
      await node.put('app', `${older}.tmp`, 'half');
      await rotation.rotateDueLogs();
      expect(await node.files('app')).toEqual(['0.log', older]);
    });
  });

  it('has a log made again whose folder somebody has removed', async () => {
    const logPath = await node.add('app');
    await rm(path.resolve(logPath, '../..'), { recursive: true });
    rotation = node.rotation();
    await rotation.rotateDueLogs();
    await node.write('app', 'next');
    expect(await node.content('app', '0.log')).toBe('next');
    expect(node.errors()).toEqual([]);
  });

  it('says when the runtime does not make the folder again, and nothing of a container that is gone', async () => {
    for (const name of ['app', 'gone']) await rm(path.dirname(await node.add(name)), { recursive: true });
    node.onReopen.set('app', async () => undefined);
    node.onReopen.set('gone', async () => {
      throw new KubeletError('no such container', { code: 'not-found' });
    });
    rotation = node.rotation();
    await rotation.rotateDueLogs();
    expect(node.errors()).toEqual([expect.stringContaining('Failed to stat container log after reopen')]);
  });

  describe('what somebody else put there', () => {
    let outside: string;
    beforeEach(async () => {
      outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
      await writeFile(path.join(outside, 'secret'), large);
    });
    afterEach(() => rm(outside, { recursive: true }));

    it('a link in place of the log is not rotated', async () => {
      const logPath = await node.add('app');
      await rm(logPath);
      await symlink(path.join(outside, 'y'.repeat(100).repeat(2)), logPath);
      rotation = node.rotation({ maxSizeBytes: 100 });
      await rotation.rotateDueLogs();
      expect(await node.files('app')).toEqual(['0.log']);
      expect(node.errors()).toEqual([expect.stringContaining('is no regular file')]);
    });

    it('links and folders among the rotated files are left alone and lead nowhere', async () => {
      await node.add('app');
      await symlink(path.join(outside, 'secret'), path.join(node.folder('app'), older));
      await symlink(path.join(outside, 'made'), path.join(node.folder('app'), '0.log.20200101-000002.tmp'));
      await node.put('app', '0.log.20200101-000002', 'two');
      await mkdir(path.join(node.folder('app'), '0.log.d'));
      await node.write('app', large);
      await rotation.rotateDueLogs();
      expect(await node.files('app')).toEqual(
        expect.arrayContaining(['0.log', older, '0.log.20200101-000002.gz', '0.log.d']),
      );
      expect(await readFile(path.join(outside, 'secret'), 'utf8')).toBe(large);
      await expect(stat(path.join(outside, 'made'))).rejects.toThrow();
    });

    it('a log that the runtime names outside of the folder of the pod stays as it is', async () => {
      const neighbour = path.join(node.dir, 'ns_pod_neighbour', 'app');
      await mkdir(neighbour, { recursive: true });
      for (const folder of [outside, neighbour]) await writeFile(path.join(folder, '0.log'), large);
      const dotted = `${node.dir}/ns_pod_u1/../ns_pod_neighbour/app/0.log`;
      const claims = [path.join(outside, '0.log'), path.join(neighbour, '0.log'), dotted, 'app/0.log'];
      const containers = claims.map((logPath, index) => ({ id: `c${index}`, state: 'running', logPath }));
      rotation = node.rotation(
        {},
        {
          view: { pods: () => [{ uid: 'u1', containers, sandboxes: [] }] as never },
          cache: { get: () => ({ containers }) as never },
        },
      );
      await rotation.rotateDueLogs();
      await rotation.clean(path.join(outside, '0.log'));
      expect(await readdir(outside)).toEqual(['0.log', 'secret']);
      expect(await readdir(neighbour)).toEqual(['0.log']);
      expect(node.calls).toEqual([]);
      expect(node.errors().filter((text) => text.includes("is not in the pod's log folder"))).toHaveLength(
        claims.length,
      );
    });

    it('a link in place of the folder is not gone through', async () => {
      const logPath = await node.add('app');
      await node.write('app', large);
      const folder = path.dirname(logPath);
      await rename(folder, `${folder}-away`);
      await writeFile(path.join(outside, '0.log'), large);
      await symlink(outside, folder);
      await rotation.rotateDueLogs();
      await expect(rotation.clean(logPath)).rejects.toThrow('failed to open log folder');
      expect((await stat(path.join(outside, '0.log'))).size).toBe(1000);
      expect(node.errors()[0]).toContain('failed to open log folder');
    });
  });
});
