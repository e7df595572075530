import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryMounts, parseMountTable } from '@podwright/filesystem';
import type { MountEntry, MountRequest } from '@podwright/filesystem';
import type { Pod, Volume } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import { createEmptyDirPlugin, createEmptyDirWrapper } from './empty-dir.js';
import type { EmptyDirDeps } from './empty-dir.js';
import { createHostPathPlugin } from './host-path.js';
import { supportsNoSwap } from './kernel-features.js';
import { createLocalVolumePlugins } from './local-volume-plugins.js';

let folder = '';
let podDir = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volume-local-'));
  podDir = join(folder, 'pods', 'uid-1');
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);

function makePod(spec: Partial<Pod['spec']> = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'default', uid: 'uid-1' },
    spec: { containers: [{ name: 'c' }], ...spec },
  };
}

function limited(memory?: string): Pod['spec']['containers'][number] {
  return { name: 'c', ...(memory !== undefined && { resources: { limits: { memory } } }) };
}

describe('emptyDir', () => {
  function setUp(allocatable: number | undefined = 1000, quotas?: EmptyDirDeps['quotas']) {
    const mounted: MountRequest[] = [];
    const table: MountEntry[] = [];
    const unmounted: string[] = [];
    const deps: EmptyDirDeps = {
      logger: createMemoryLogger(),
      allocatableMemoryBytes: () => allocatable,
      supportsNoSwap: async () => false,
      quotas,
      mounts: {
        mount: async ({ signal: _, ...request }) => {
          mounted.push(request);
          table.push({
            id: 1,
            parentId: 0,
            device: '0:1',
            root: '/',
            mountPoint: request.target,
            options: [],
            propagation: [],
            fsType: request.fsType ?? '',
            source: request.source,
            superOptions: (request.options ?? []).map((option) => option.replace(/i$/, '')),
          });
        },
        list: async () => table,
        unmount: async (target) => {
          unmounted.push(target);
          table.splice(0);
        },
      },
    };
    const plugin = createEmptyDirPlugin(deps);
    const mounter = (emptyDir: NonNullable<Volume['emptyDir']>, pod: Pod = makePod()) =>
      plugin.newMounter({ volume: { name: 'v', emptyDir }, pod, podDir });
    return { plugin, wrapper: createEmptyDirWrapper(deps), mounter, mounted, unmounted, table };
  }

  it('is a directory that everybody may write, and goes with all its content', async () => {
    const { plugin, mounter } = setUp();
    const volume = mounter({});
    expect(volume).toMatchObject({
      hostPath: join(podDir, 'volumes/kubernetes.io~empty-dir/v'),
      readOnly: false,
      managed: true,
      selinuxRelabel: true,
      usage: 'tree',
    });
    await volume.setUp(signal);
    expect(await modeOf(volume.hostPath)).toBe('777');
    expect(await readdir(join(podDir, 'plugins/kubernetes.io~empty-dir/v'))).toEqual(['ready']);
    await mkdir(join(volume.hostPath, 'deep'));
    await writeFile(join(volume.hostPath, 'deep', 'file'), '');
    await symlink(folder, join(volume.hostPath, 'link'));
    await plugin.tearDown(podDir, 'v');
    await plugin.tearDown(podDir, 'v');
    expect(await readdir(join(podDir, 'volumes/kubernetes.io~empty-dir'))).toEqual([]);
    expect(await readdir(join(podDir, 'plugins/kubernetes.io~empty-dir'))).toEqual([]);
  });

  it('is left as it is once it was ready, and made anew when the mark alone is left', async () => {
    const { mounter } = setUp();
    const volume = mounter({});
    await volume.setUp(signal);
    await chmod(volume.hostPath, 0o700);
    await volume.setUp(signal);
    expect(await modeOf(volume.hostPath)).toBe('700');
    await rm(volume.hostPath, { recursive: true });
    await volume.setUp(signal);
    expect(await modeOf(volume.hostPath)).toBe('777');
  });

  it('is given to the pod’s group', async () => {
    const { mounter } = setUp();
    const volume = mounter({}, makePod({ securityContext: { fsGroup: process.getgid?.() ?? 0 } }));
    await volume.setUp(signal);
    expect(await modeOf(volume.hostPath)).toBe('2777');
  });

  it.each<[string, number | undefined, string | undefined, string | undefined, string[]]>([
    ['the node', 1000, undefined, undefined, ['size=1000']],
    ['the pod', 1000, '500', undefined, ['size=500']],
    ['the volume', 1000, '500', '300', ['size=300']],
    ['the least of all', 200, '500', '300', ['size=200']],
    ['nothing', 0, undefined, undefined, []],
  ])('in memory is as large as %s allows', async (_what, node, podLimit, sizeLimit, options) => {
    const { mounter, mounted } = setUp(node);
    const pod = makePod({
      containers: [{ name: 'c', ...(podLimit && { resources: { limits: { memory: podLimit } } }) }],
    });
    const volume = mounter({ medium: 'Memory', ...(sizeLimit && { sizeLimit }) }, pod);
    await volume.setUp(signal);
    await volume.setUp(signal);
    expect(mounted).toEqual([{ source: 'tmpfs', target: volume.hostPath, fsType: 'tmpfs', options }]);
  });

  it.each<[string, Partial<Pod['spec']>, string]>([
    ['all containers', { containers: [limited('300'), limited('200')] }, 'size=500'],
    ['not all containers', { containers: [limited('300'), limited()] }, 'size=1000'],
    ['not the init container', { containers: [limited('300')], initContainers: [limited()] }, 'size=1000'],
    ['the pod itself', { containers: [limited()], resources: { limits: { memory: '400' } } }, 'size=400'],
  ])('in memory goes by the limit of the pod when it is declared by %s', async (_what, spec, option) => {
    const { mounter, mounted } = setUp();
    await mounter({ medium: 'Memory' }, makePod(spec)).setUp(signal);
    expect(mounted[0]?.options).toEqual([option]);
  });

  it('lies beneath other volumes, at their path and under a name of its own', async () => {
    const { wrapper, mounted, table } = setUp();
    const path = join(podDir, 'volumes/kubernetes.io~downward-api/v');
    const volume = { name: 'wrapped_v', emptyDir: { medium: 'Memory' } };
    await wrapper.setUp({ volume, pod: makePod(), podDir }, path, signal);
    await wrapper.setUp({ volume, pod: makePod(), podDir }, path, signal);
    expect(mounted.map(({ target }) => target)).toEqual([path]);
    expect(await readdir(join(podDir, 'plugins/kubernetes.io~empty-dir'))).toEqual(['wrapped_v']);
    expect(await readdir(join(podDir, 'volumes'))).toEqual(['kubernetes.io~downward-api']);
    table.splice(0); // nothing was mounted really
    await wrapper.tearDown(podDir, 'wrapped_v', path);
    await wrapper.tearDown(podDir, 'wrapped_v', path);
    expect(await readdir(join(podDir, 'plugins/kubernetes.io~empty-dir'))).toEqual([]);
    expect(await readdir(join(podDir, 'volumes/kubernetes.io~downward-api'))).toEqual([]);
  });

  it.each<[string, string[], string | RegExp]>([
    ['HugePages', ['hugepages-2Mi'], 'pagesize=2Mi'],
    ['HugePages-1Gi', ['hugepages-2Mi', 'hugepages-1Gi'], 'pagesize=1Gi'],
    ['HugePages', ['hugepages-2Mi', 'hugepages-1Gi'], /multiple huge page sizes/],
    [
      'HugePages-1Gi',
      ['hugepages-2Mi'],
      /medium HugePages-1Gi: hugePages storage requested, but there is no resource request/,
    ],
    ['Tape', [], /unknown storage medium "Tape"/],
  ])('on %s with %j', async (medium, resources, expected) => {
    const { mounter, mounted } = setUp();
    const requests = Object.fromEntries(resources.map((name) => [name, '4Gi']));
    const volume = mounter({ medium }, makePod({ containers: [{ name: 'c', resources: { requests } }] }));
    if (typeof expected !== 'string') return expect(volume.setUp(signal)).rejects.toThrow(expected);
    await volume.setUp(signal);
    await volume.setUp(signal);
    expect(mounted).toEqual([{ source: 'nodev', target: volume.hostPath, fsType: 'hugetlbfs', options: [expected] }]);
  });

  it('keeps huge pages that are mounted, unless the volume names another size', async () => {
    const { mounter } = setUp();
    const requests = { 'hugepages-2Mi': '4Mi', 'hugepages-1Gi': '1Gi' };
    const pod = makePod({ containers: [{ name: 'c', resources: { requests } }] });
    await mounter({ medium: 'HugePages-2Mi' }, pod).setUp(signal);
    const other = mounter({ medium: 'HugePages-1Gi' }, pod);
    await expect(other.setUp(signal)).rejects.toThrow(
      `pod uid-1: mounted dir ${other.hostPath} pagesize '2Mi' and requested medium size '1Gi' differ`,
    );
    await mounter({ medium: 'HugePages' }, pod).setUp(signal); // whatever is mounted, as upstream
  });

  it('is counted by a quota when it is on disk and its pod has a user namespace', async () => {
    const asked: unknown[] = [];
    const quotas: NonNullable<EmptyDirDeps['quotas']> = {
      assign: async (path, bytes) => void asked.push(['assign', path, bytes]),
      usage: async (path) => (asked.push(['usage', path]), { usedBytes: 1, inodesUsed: 1 }),
      clear: async (path) => {
        asked.push(['clear', path]);
        throw new Error('no such program');
      },
    };
    const { plugin, mounter } = setUp(1000, quotas);
    const pod = makePod({
      hostUsers: false,
      containers: [{ name: 'c', resources: { limits: { 'ephemeral-storage': '5k' } } }],
    });
    const volume = mounter({ sizeLimit: '7k' }, pod);
    const path = volume.hostPath;
    await volume.setUp(signal);
    await volume.setUp(signal);
    await mounter({ sizeLimit: '3k' }, pod).setUp(signal);
    if (typeof volume.usage === 'object' && 'quota' in volume.usage) await volume.usage.quota(signal);
    await mounter({}, makePod()).setUp(signal);
    await plugin.tearDown(podDir, 'v');
    await mounter({ medium: 'Memory' }, pod).setUp(signal);
    expect(asked).toEqual([
      ['assign', path, 5000],
      ['assign', path, 5000],
      ['assign', path, 3000],
      ['usage', path],
      ['clear', path],
    ]);
  });

  it('is not removed while something is mounted in it', async () => {
    const { plugin, mounter, table } = setUp();
    const volume = mounter({});
    await volume.setUp(signal);
    await mkdir(join(volume.hostPath, 'sub'));
    table.push({ mountPoint: join(volume.hostPath, 'sub') } as MountEntry);
    await expect(plugin.tearDown(podDir, 'v')).rejects.toThrow('still mounted are');
    expect(await readdir(volume.hostPath)).toEqual(['sub']);
  });

  const canMount = process.getuid?.() === 0 && process.env['PODWRIGHT_MOUNT_TESTS'] === '1';
  (canMount ? it : it.skip)('in memory, with real mounts (root and PODWRIGHT_MOUNT_TESTS=1)', async () => {
    const plugin = createLocalVolumePlugins({ logger: createMemoryLogger() }).find(({ name }) =>
      name.endsWith('empty-dir'),
    );
    const volume = plugin?.newMounter({
      volume: { name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
      pod: makePod(),
      podDir,
    });
    await volume?.setUp(signal);
    await volume?.setUp(signal);
    await writeFile(join(volume?.hostPath ?? '', 'file'), 'x');
    await plugin?.tearDown(podDir, 'v');
    expect(await readdir(join(podDir, 'volumes/kubernetes.io~empty-dir'))).toEqual([]);
  });
});

describe('hostPath', () => {
  const check = (path: string, type?: string): Promise<void> =>
    createHostPathPlugin()
      .newMounter({
        volume: { name: 'v', hostPath: { path, ...(type !== undefined && { type }) } },
        pod: makePod(),
        podDir,
      })
      .setUp(signal);

  it('without a type may even be missing', async () => {
    await check('/no/such/path');
    await check('/no/such/path', '');
  });

  it('is checked by its type', async () => {
    const file = join(folder, 'file');
    const socketPath = join(folder, 'socket');
    await writeFile(file, '');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    try {
      for (const [type, right, what] of [
        ['Directory', folder, 'a directory'],
        ['File', file, 'a file'],
        ['Socket', socketPath, 'a socket file'],
        ['CharDevice', '/dev/null', 'a character device'],
        ['BlockDevice', undefined, 'a block device'],
      ] as const) {
        if (right !== undefined) await check(right, type);
        for (const wrong of [folder, file, socketPath, '/dev/null', join(folder, 'missing'), join(file, 'below')]) {
          if (wrong === right) continue;
          await expect(check(wrong, type)).rejects.toThrow(`hostPath type check failed: ${wrong} is not ${what}`);
        }
      }
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('is set up for several pods at once, each with its own path and type', async () => {
    const plugin = createHostPathPlugin();
    const [file, dir] = [join(folder, 'shared-file'), join(folder, 'shared/dir')];
    const wanted = [file, dir, file, dir].map((path) => ({
      path,
      type: path === file ? 'FileOrCreate' : 'DirectoryOrCreate',
    }));
    const mounters = wanted.map((hostPath) =>
      plugin.newMounter({ volume: { name: 'v', hostPath }, pod: makePod(), podDir }),
    );
    await Promise.all(mounters.map((mounter) => mounter.setUp(signal)));
    expect(mounters.map(({ hostPath }) => hostPath)).toEqual([file, dir, file, dir]);
    expect([(await stat(file)).isFile(), (await stat(dir)).isDirectory()]).toEqual([true, true]);
  });

  it('is made below a folder that stands for the node, and never outside', async () => {
    const plugin = createHostPathPlugin(undefined, folder);
    const mounter = (path: string, type: string) =>
      plugin.newMounter({ volume: { name: 'v', hostPath: { path, type } }, pod: makePod(), podDir });
    for (const [path, type] of [
      ['/var/lib/a', 'Directory'],
      ['/run/a/sock', 'Socket'],
      ['/srv', ''],
    ] as const) {
      await mounter(path, type).setUp(signal);
      expect(mounter(path, type).hostPath).toBe(join(folder, path));
      expect((await stat(join(folder, path))).isDirectory()).toBe(type !== 'Socket');
    }
    await expect(mounter('/../outside', 'DirectoryOrCreate').setUp(signal)).rejects.toThrow("must not contain '..'");
    await expect(stat(join(folder, '../outside'))).rejects.toThrow('ENOENT');
  });

  it('is made when its type says so', async () => {
    await check(join(folder, 'a', 'b'), 'DirectoryOrCreate');
    expect(await modeOf(join(folder, 'a', 'b'))).toBe('755');
    await check(join(folder, 'new'), 'FileOrCreate');
    expect(await modeOf(join(folder, 'new'))).toBe('644');
    await expect(check(join(folder, 'new'), 'DirectoryOrCreate')).rejects.toThrow('is not a directory');
    await expect(check(join(folder, 'x', 'y'), 'FileOrCreate')).rejects.toThrow(
      `open ${join(folder, 'x', 'y')}: no such file or directory`,
    );
    await expect(check(join(folder, 'new', 'y', 'z'), 'DirectoryOrCreate')).rejects.toThrow(
      `mkdir ${join(folder, 'new')}: not a directory`,
    );
    await expect(check('/proc/none/below', 'DirectoryOrCreate')).rejects.toThrow(
      'mkdir /proc/none: no such file or directory',
    );
    const long = join(folder, 'x'.repeat(300));
    await expect(check(long, 'DirectoryOrCreate')).rejects.toThrow(`mkdir ${long}: file name too long`);
    await symlink('loop', join(folder, 'loop'));
    await expect(check(join(folder, 'loop'), 'Directory')).rejects.toThrow('loop is not a directory');
  });

  it('is refused when it is on a server that does not answer, and is not touched', async () => {
    const table = parseMountTable(`1 0 0:40 / ${folder} rw - nfs4 server:/ rw`);
    const run: RunProgram = async () => ({ end: { how: 'aborted' }, problem: 'late', stdout: '', stderr: '' });
    const plugin = createHostPathPlugin({ list: async () => table, run });
    const setUp = (type: string): Promise<void> =>
      plugin
        .newMounter({ volume: { name: 'v', hostPath: { path: folder, type } }, pod: makePod(), podDir })
        .setUp(signal);
    await expect(setUp('Directory')).rejects.toThrow(`the file system at ${folder} does not answer`);
    await setUp(''); // nothing to check
  });

  it('may neither go up nor have an unknown type', async () => {
    await expect(check('/var/../etc')).rejects.toThrow("invalid HostPath `/var/../etc`: must not contain '..'");
    await check('/var/..data');
    for (const type of ['Fifo', 'constructor'])
      await expect(check(folder, type)).rejects.toThrow(`${type} is an invalid volume type`);
  });
});

describe('hostPath of a PersistentVolume', () => {
  it('is that of the volume, read-only when the pod asks', async () => {
    const plugin = createHostPathPlugin();
    const volume = { name: 'v', persistentVolumeClaim: { claimName: 'c', readOnly: true } };
    const persistentVolume = { metadata: { name: 'pv' }, spec: { hostPath: { path: folder, type: 'Directory' } } };
    const others = { metadata: { name: 'pv' }, spec: { csi: { driver: 'd', volumeHandle: 'h' } } };
    expect([
      plugin.canSupport(volume, persistentVolume),
      plugin.canSupport(volume, others),
      plugin.canSupport(volume),
    ]).toEqual([true, false, false]);
    const mounter = plugin.newMounter({ volume, persistentVolume, pod: makePod(), podDir });
    await mounter.setUp(signal);
    expect(mounter).toMatchObject({ hostPath: folder, readOnly: true, managed: false, selinuxRelabel: false });
  });
});

describe('supportsNoSwap', () => {
  const probe = (fails: boolean, kernelRelease: string, uidMap = '         0          0 4294967295\n') => {
    const mounts = new MemoryMounts();
    mounts.beforeEach = async () => {
      if (fails) throw new Error('unknown option');
    };
    const answer = async (): Promise<boolean> => {
      const uidMapPath = join(folder, 'uid_map');
      await writeFile(uidMapPath, uidMap);
      return supportsNoSwap({ mounts, directory: join(folder, 'plugins/empty-dir'), kernelRelease, uidMapPath });
    };
    return { mounts, answer };
  };

  it('asks neither in user namespaces nor on a new kernel', async () => {
    for (const [release, uidMap, expected] of [
      ['6.4.0-1-amd64', undefined, true],
      ['6.4.0', '         0       1000          1\n', false],
    ] as const) {
      const { mounts, answer } = probe(false, release, uidMap);
      expect([await answer(), mounts.requests]).toEqual([expected, []]);
    }
  });

  it.each([
    ['takes', false],
    ['refuses', true],
  ])('tries an older kernel, which %s it, and leaves nothing behind', async (_what, fails) => {
    const { mounts, answer } = probe(fails, '6.1.0');
    expect(await answer()).toBe(!fails);
    expect(mounts.requests).toEqual([
      {
        source: 'tmpfs',
        target: expect.stringContaining(join(folder, 'plugins/empty-dir/tmpfs-noswap-test-')),
        fsType: 'tmpfs',
        options: ['noswap'],
      },
    ]);
    expect([mounts.unmounted.length, await readdir(join(folder, 'plugins/empty-dir'))]).toEqual([fails ? 0 : 1, []]);
  });
});
