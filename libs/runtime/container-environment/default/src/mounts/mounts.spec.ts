import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MountPropagation } from '@podwright/cri-client-interface';
import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import type { Pod, VolumeMount } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { MountedVolume } from '@podwright/volume-interface';
import { makeImageMounts, makeMounts } from './container-mounts.js';
import { openSubPath } from './open-sub-path.js';
import { prepareSubPath } from './sub-path.js';

const volume: MountedVolume = { name: 'v', hostPath: '/vol', readOnly: false, managed: true, selinuxRelabel: true };

function mounts(
  mount: Partial<VolumeMount>,
  over: { volume?: MountedVolume; supported?: boolean; pod?: Pod } = {},
): Promise<DeepPartial<Mount>[]> {
  return makeMounts({
    pod: over.pod ?? { metadata: {}, spec: { containers: [] } },
    container: { name: 'c', volumeMounts: [{ name: 'v', mountPath: '/data', ...mount }] },
    volumes: [over.volume ?? volume],
    envs: [{ name: 'POD', value: 'web' }],
    recursiveReadOnlySupported: over.supported ?? false,
    prepareSubPath: async (_, subPath, index) => `/bound/${index}/${subPath}`,
  });
}

describe('makeMounts', () => {
  it('mounts a volume', async () => {
    expect(await mounts({ mountPath: 'data' })).toEqual([
      {
        hostPath: '/vol',
        containerPath: '/data',
        propagation: MountPropagation.PROPAGATION_PRIVATE,
        recursiveReadOnly: false,
        readonly: false,
        selinuxRelabel: true,
      },
    ]);
    expect((await mounts({}, { volume: { ...volume, readOnly: true } }))[0]?.readonly).toBe(true);
    expect((await mounts({ mountPropagation: 'Bidirectional' }))[0]?.propagation).toBe(
      MountPropagation.PROPAGATION_BIDIRECTIONAL,
    );
  });

  it('gives image volumes all but their images', () => {
    const image = (mount: Partial<VolumeMount>, recursiveReadOnlySupported = false): unknown =>
      makeImageMounts({
        pod: { metadata: {}, spec: { containers: [], volumes: [{ name: 'i', image: {} }] } },
        container: {
          name: 'c',
          volumeMounts: [
            { name: 'v', mountPath: '/v' },
            { name: 'i', mountPath: 'x', ...mount },
          ],
        },
        envs: [{ name: 'POD', value: 'web' }],
        recursiveReadOnlySupported,
      });
    const mounted = {
      containerPath: '/x',
      propagation: MountPropagation.PROPAGATION_PRIVATE,
      recursiveReadOnly: false,
      imageSubPath: '',
      readonly: true,
    };
    expect(image({})).toEqual([{ volumeName: 'i', mount: mounted }]);
    const asked = { subPathExpr: 'a/$(POD)', readOnly: true, recursiveReadOnly: 'IfPossible' };
    expect(image(asked, true)).toEqual([
      { volumeName: 'i', mount: { ...mounted, imageSubPath: 'a/web', recursiveReadOnly: true } },
    ]);
    expect(() => image({ subPath: '/a' })).toThrow('error SubPath `/a` must not be an absolute path');
    expect(() => image({ recursiveReadOnly: 'Enabled' })).toThrow('but it is not read-only');
  });

  it('leaves image volumes to the container runtime', async () => {
    const pod: Pod = { metadata: {}, spec: { containers: [], volumes: [{ name: 'i', image: {} }] } };
    expect(await mounts({ name: 'i' }, { pod })).toEqual([]);
  });

  it('uses the texts of upstream for what cannot be', async () => {
    await expect(mounts({ name: 'x' })).rejects.toThrow('cannot find volume "x" to mount into container "c"');
    await expect(mounts({}, { volume: { ...volume, isBlockDevice: true } })).rejects.toThrow(
      'cannot find volume "v" to mount into container "c"',
    );
    await expect(mounts({ mountPropagation: 'Odd' })).rejects.toThrow('invalid MountPropagation mode: "Odd"');
    await expect(mounts({ subPath: '/a' })).rejects.toThrow('error SubPath `/a` must not be an absolute path');
    await expect(mounts({ subPath: 'a/../b' })).rejects.toThrow(
      "unable to provision SubPath `a/../b`: must not contain '..'",
    );
    await expect(mounts({ subPathExpr: '$(B)$(A)' })).rejects.toThrow('missing value for A, B');
  });

  it('prepares sub paths, with variables', async () => {
    expect((await mounts({ subPath: 'a/b' }))[0]?.hostPath).toBe('/bound/0/a/b');
    expect((await mounts({ subPathExpr: 'x-$(POD)' }))[0]?.hostPath).toBe('/bound/0/x-web');
  });

  it.each<[Partial<VolumeMount>, boolean, boolean | string]>([
    [{ readOnly: true, recursiveReadOnly: 'Enabled' }, true, true],
    [{ readOnly: true, recursiveReadOnly: 'IfPossible' }, false, false],
    [{ readOnly: true, recursiveReadOnly: 'IfPossible' }, true, true],
    [{ recursiveReadOnly: 'Disabled' }, true, false],
    [{ recursiveReadOnly: 'Enabled' }, true, 'volume "v" requested recursive read-only mode, but it is not read-only'],
    [
      { readOnly: true, recursiveReadOnly: 'Enabled', mountPropagation: 'Bidirectional' },
      true,
      'volume "v" requested recursive read-only mode, but it is not compatible with propagation "Bidirectional"',
    ],
    [
      { readOnly: true, recursiveReadOnly: 'Enabled' },
      false,
      'volume "v" requested recursive read-only mode, but it is not supported by the runtime',
    ],
  ])('recursive read-only %j', async (mount, supported, expected) => {
    const result = mounts(mount, { supported });
    if (typeof expected === 'string')
      await expect(result).rejects.toThrow(`failed to resolve recursive read-only mode: ${expected}`);
    else expect((await result)[0]?.recursiveReadOnly).toBe(expected);
  });
});

describe('sub paths', () => {
  let dir = '';
  let base = '';
  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'subpath-')));
    base = join(dir, 'volume');
    await mkdir(base, { mode: 0o755 });
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function opened(subPath: string): Promise<{ ino: number }> {
    const handle = await openSubPath(base, subPath);
    try {
      return await handle.stat();
    } finally {
      await handle.close();
    }
  }

  it('makes missing directories with the mode of the volume', async () => {
    await rm(base, { recursive: true });
    await mkdir(base);
    await import('node:fs/promises').then(({ chmod }) => chmod(base, 0o2770));
    const { ino } = await opened('a//./b/c');
    expect(ino).toBe((await stat(join(base, 'a/b/c'))).ino);
    expect((await stat(join(base, 'a/b'))).mode & 0o7777).toBe(0o2770);
  });

  it('follows links that stay inside, and no others', async () => {
    await mkdir(join(base, 'real'));
    await symlink('real', join(base, 'link'));
    await symlink(dir, join(base, 'out'));
    await symlink('nowhere', join(base, 'dangling'));
    expect((await opened('link/new')).ino).toBe((await stat(join(base, 'real/new'))).ino);
    await expect(opened('out/x')).rejects.toThrow('is outside of allowed base');
    await expect(opened('out')).rejects.toThrow('is outside of allowed base');
    await expect(opened('dangling/x')).rejects.toThrow();
    await expect(stat(join(dir, 'x'))).rejects.toThrow('ENOENT');
    await expect(stat(join(base, 'nowhere'))).rejects.toThrow('ENOENT');
  });

  it('opens a file, and takes it for no directory', async () => {
    await writeFile(join(base, 'file'), 'x');
    expect((await opened('file')).ino).toBe((await stat(join(base, 'file'))).ino);
    await expect(opened('file/below')).rejects.toThrow('ENOTDIR');
  });

  it('binds once, again when something else is there, and hides details of failures', async () => {
    const bound = new Map<string, string>();
    const mountTable = {
      requireAnswer: async () => undefined,
      isMounted: async (target: string) => bound.has(target),
      bind: async (source: string, target: string) => void bound.set(target, await realpath(source)),
      unmount: async (target: string) => void bound.delete(target),
    };
    const logger = createMemoryLogger();
    const request = {
      podDir: join(dir, 'pod'),
      volumeName: 'v',
      specName: 'pv-1',
      volumePath: base,
      containerName: 'c',
      mountIndex: 2,
      subPath: 'a',
    };
    const target = join(dir, 'pod/volume-subpaths/pv-1/c/2');
    expect(await prepareSubPath(request, mountTable, logger)).toBe(target);
    expect(bound.get(target)).toBe(join(base, 'a'));
    expect((await stat(target)).isDirectory()).toBe(true);
    // What is mounted is not the wanted directory (the fake mounts nothing), so it is unmounted and bound again.
    expect(await prepareSubPath({ ...request, subPath: 'b' }, mountTable, logger)).toBe(target);
    expect(bound.get(target)).toBe(join(base, 'b'));
    await writeFile(join(base, 'file'), 'x');
    await prepareSubPath({ ...request, mountIndex: 3, subPath: 'file' }, mountTable, logger);
    expect(await readFile(join(dir, 'pod/volume-subpaths/pv-1/c/3'), 'utf8')).toBe('');
    await symlink(dir, join(base, 'out'));
    const refused = (subPath: string): Promise<unknown> => prepareSubPath({ ...request, subPath }, mountTable, logger);
    for (const subPath of ['out', 'file/below']) {
      await expect(refused(subPath)).rejects.toThrow(
        /^failed to prepare subPath for volumeMount "v" of container "c"$/,
      );
    }
    const dead = { ...mountTable, requireAnswer: () => Promise.reject(new Error('it does not answer')) };
    await expect(prepareSubPath({ ...request, subPath: 'never' }, dead, logger)).rejects.toThrow(
      /^failed to prepare subPath/,
    );
    await expect(stat(join(base, 'never'))).rejects.toThrow('ENOENT');
    await expect(refused('out/missing')).rejects.toThrow(
      /^failed to create subPath directory for volumeMount "v" of container "c"$/,
    );
  });

  it.each([
    ['keeps nothing of a mount that failed', [], undefined],
    ['keeps what other mounts of the pod need', ['c/1'], ['c']],
  ])('%s', async (_what, others, left) => {
    const podDir = join(dir, 'pod');
    const folder = join(podDir, 'volume-subpaths/v');
    for (const other of others) await mkdir(join(folder, other), { recursive: true });
    let isBound = false;
    const mountTable = {
      requireAnswer: async () => undefined,
      isMounted: async () => isBound,
      bind: async () => {
        isBound = true;
        throw new Error('the flags cannot be set');
      },
      unmount: async () => void (isBound = false),
    };
    await mkdir(podDir, { recursive: true });
    const place = { podDir, volumeName: 'v', specName: 'v', volumePath: base, containerName: 'c', mountIndex: 0 };
    await expect(prepareSubPath({ ...place, subPath: 'a' }, mountTable, createMemoryLogger())).rejects.toThrow(
      'failed to prepare subPath',
    );
    expect([isBound, await readdir(podDir)]).toEqual([false, left === undefined ? [] : ['volume-subpaths']]);
    if (left !== undefined) expect([await readdir(folder), await readdir(join(folder, 'c'))]).toEqual([left, ['1']]);
  });
});
