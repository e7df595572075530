import { chmod, chown, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { setVolumeOwnership, type VolumeOwnership } from './set-volume-ownership.js';
import { watchOwnership } from './ownership-watch.js';

describe('setVolumeOwnership', () => {
  let folder = '';
  let root = '';
  let failures: unknown[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ownership-'));
    root = join(folder, 'dir');
    failures = [];
    await mkdir(root, { mode: 0o700 });
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const fsGroup = process.getgid?.() ?? 0;
  const apply = (over: Partial<VolumeOwnership> = {}, path = root): Promise<void> => {
    const onError = (at: string, error: unknown): void => void failures.push([at, error]);
    return setVolumeOwnership(path, { fsGroup, readOnly: false, onError, ...over });
  };
  const mode = async (name: string): Promise<string> => ((await stat(join(root, name))).mode & 0o7777).toString(8);
  const put = async (name: string, bits: number): Promise<void> => {
    await writeFile(join(root, name), '');
    await chmod(join(root, name), bits);
  };

  it('opens files and directories for the group, and follows no links', async () => {
    await put('file', 0o600);
    await put('tool', 0o4711);
    await writeFile(join(folder, 'outside'), '', { mode: 0o600 });
    await symlink('../outside', join(root, 'link'));
    await symlink('/nowhere', join(root, 'dangling'));
    await apply();
    expect(await Promise.all(['', 'file', 'tool', '../outside'].map(mode))).toEqual(['2770', '660', '4771', '600']);
    expect(failures).toEqual([]);
  });

  it('opens files whose names are not text', async () => {
    const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]);
    await writeFile(odd, '', { mode: 0o600 });
    await apply();
    expect(((await stat(odd)).mode & 0o7777).toString(8)).toBe('660');
  });

  it('lets the group read a read-only volume', async () => {
    await put('file', 0o000);
    await apply({ readOnly: true });
    expect([await mode(''), await mode('file')]).toEqual(['2750', '440']);
  });

  (process.getuid?.() === 0 ? it : it.skip)('changes the group of everything, and keeps set-id bits', async () => {
    await put('tool', 0o4711);
    await symlink('tool', join(root, 'link'));
    await chown(root, 7, 8);
    await apply({ fsGroup: 4711 });
    const { uid, gid } = await stat(root);
    expect([uid, gid, (await lstat(join(root, 'link'))).gid, await mode('tool')]).toEqual([7, 4711, 4711, '4771']);
  });

  it.each<[string, number, number, boolean, boolean]>([
    ['group, bits and set-group-id fit', 0o2770, fsGroup, false, true],
    ['there are more bits', 0o2775, fsGroup, false, true],
    ['set-group-id is missing', 0o770, fsGroup, false, false],
    ['the group cannot write', 0o2750, fsGroup, false, false],
    ['the group need not write', 0o2550, fsGroup, true, true],
    ['the group is another', 0o2770, fsGroup + 1, false, false],
  ])('when %s, OnRootMismatch walks or skips', async (_what, bits, group, readOnly, skips) => {
    await put('file', 0o600);
    await chmod(root, bits);
    const done: string[] = [];
    const watch = { clock: new VirtualClock(), podUid: 'uid', onDone: (status: string) => void done.push(status) };
    const owner = (error: unknown): void => void failures.push(error);
    const policy = 'OnRootMismatch';
    await setVolumeOwnership(root, { fsGroup: group, readOnly, policy, onError: owner, watch });
    expect(done).toEqual(skips ? [] : ['success']);
    if (skips) expect(await mode('file')).toBe('600');
  });

  it('always walks without a policy, also a single file', async () => {
    await put('file', 0o600);
    await chmod(root, 0o2770);
    await apply();
    expect(await mode('file')).toBe('660');
    await chmod(join(root, 'file'), 0o600);
    await apply({ policy: 'OnRootMismatch' }, join(root, 'file'));
    expect(await mode('file')).toBe('660');
  });

  it('ends with an error for a missing root, and with the reason of its signal', async () => {
    const done: unknown[] = [];
    const clock = new VirtualClock();
    const watch = { clock, podUid: 'u', onSlow: () => undefined, onDone: (status: string) => void done.push(status) };
    await expect(apply({ watch }, join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect([done, clock.pendingTimers]).toEqual([['fail-unknown'], 0]);
    const ownership = { fsGroup, readOnly: false, onError: () => undefined };
    await expect(setVolumeOwnership(root, ownership, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});

describe('watchOwnership', () => {
  it('reports after half a minute, then each minute, and measures', async () => {
    const clock = new VirtualClock();
    const said: string[] = [];
    const done: unknown[] = [];
    let files = 0;
    const watch = watchOwnership(
      '/var/lib/kubelet/pods/uid-1/volumes/kubernetes.io~csi/pv/mount',
      {
        clock,
        podUid: 'uid-1',
        onSlow: (message) => void said.push(message),
        onDone: (status, seconds) => void done.push([status, seconds]),
      },
      () => files,
    );
    await clock.advance(29_999);
    expect(said).toEqual([]);
    await clock.advance(1);
    files = 7;
    await clock.advance(60_000);
    files = 9;
    await clock.advance(60_000);
    watch.end('success');
    await clock.advance(120_000);
    const shown = 'Setting volume ownership for uid-1/volumes/kubernetes.io~csi/pv/mount';
    expect(said).toEqual([
      `${shown} is taking longer than expected, consider using OnRootMismatch - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods`,
      `${shown}, processed 7 files.`,
      `${shown}, processed 9 files.`,
    ]);
    expect([done, clock.pendingTimers]).toEqual([[['success', 150]], 0]);
  });
});
