import { describe, expect, it } from '@jest/globals';
import { MemoryMounts, type MountRequest } from '@podwright/filesystem';
import { createMemoryLogger } from '@podwright/logging';
import type { ProgramEnd, RunProgram } from '@podwright/program';
import { createDiskTools } from './index.js';

type Answer = { readonly code?: number; readonly stdout?: string; readonly stderr?: string; readonly end?: ProgramEnd };

/** Programs that answer by their name; others succeed silently. */
function node(answers: Readonly<Record<string, Answer>> = {}) {
  const calls: string[] = [];
  const run: RunProgram = async ({ file, args }) => {
    calls.push([file, ...args].join(' '));
    const { code = 0, stdout = '', stderr = '', end = { how: 'exited', code } } = answers[file] ?? {};
    return { end, problem: code === 0 ? undefined : `exit status ${code}`, stdout, stderr };
  };
  const mounts = new MemoryMounts();
  const logger = createMemoryLogger();
  const disks = createDiskTools({ mounts, logger, run });
  const mount = (request: Partial<MountRequest> = {}): Promise<void> =>
    disks.formatAndMount({ source: '/dev/d', target: '/m', ...request });
  return { calls, mounts, logger, disks, mount };
}

const probe = 'blkid -p -s TYPE -s PTTYPE -o export /dev/d';
const readable = 'dd if=/dev/d of=/dev/null bs=4096 count=1';
const unformatted: Answer = { code: 2 };
const formatted = (type: string): Answer => ({ stdout: `DEVNAME=/dev/d\nTYPE=${type}\n` });
const partitioned: Answer = { stdout: 'PTTYPE=gpt\n' };

describe('formatAndMount', () => {
  it.each([
    [undefined, 'mkfs.ext4 -F -m0 /dev/d', 'ext4'],
    ['ext3', 'mkfs.ext3 -F -m0 /dev/d', 'ext3'],
    ['xfs', 'mkfs.xfs -f /dev/d', 'xfs'],
    ['btrfs', 'mkfs.btrfs /dev/d', 'btrfs'],
  ])('formats an empty disk as %s', async (fsType, command, made) => {
    const { calls, mounts, mount } = node({ blkid: unformatted });
    await mount({ ...(fsType !== undefined && { fsType }), options: ['noatime'] });
    expect(calls).toEqual([probe, readable, command]);
    expect(mounts.requests).toEqual([
      { source: '/dev/d', target: '/m', fsType: made, ownScope: true, options: ['noatime', 'defaults'] },
    ]);
  });

  it('checks a formatted disk and mounts it', async () => {
    const { calls, mounts, mount } = node({ blkid: formatted('xfs') });
    await mount({ fsType: 'xfs' });
    expect(calls).toEqual([probe, 'fsck -a /dev/d']);
    expect(mounts.requests).toHaveLength(1);
  });

  // The promise that protects data: whatever blkid says other than "nothing", no mkfs runs.
  it.each<[string, Answer, Partial<MountRequest>]>([
    ['another file system', formatted('xfs'), { fsType: 'ext4' }],
    ['swap', formatted('swap'), {}],
    ['a file system and a partition table', { stdout: 'TYPE=vfat\nPTTYPE=dos\n' }, { fsType: 'vfat' }],
    ['partitions', partitioned, {}],
    ['an unknown answer', { stdout: 'what=is=this\n' }, {}],
    ['several answers at once', { code: 8, stderr: 'ambivalent result (probably more filesystems)' }, {}],
    ['a failure of blkid', { code: 4 }, {}],
    ['a disk that cannot be opened', { code: 2, stderr: 'blkid: error: /dev/d: Input/output error' }, {}],
    ['blkid killed', { code: 1, end: { how: 'killed', signal: 'SIGKILL' } }, {}],
    ['no blkid', { code: 1, end: { how: 'not-started', error: new Error('ENOENT') } }, {}],
    ['an empty disk that is mounted read-only', unformatted, { options: ['ro'] }],
    ['one that is read-only by a sensitive option', unformatted, { sensitiveOptions: ['ro'] }],
  ])('never formats: %s', async (_what, blkid, request) => {
    const { calls, mount } = node({ blkid });
    await mount(request).catch(() => undefined);
    expect(calls.filter((call) => call.startsWith('mkfs'))).toEqual([]);
  });

  it('never formats a disk that blkid calls empty, but that cannot be read', async () => {
    const { calls, mount } = node({ blkid: unformatted, dd: { code: 1, stderr: 'dd: failed to open' } });
    await expect(mount()).rejects.toMatchObject({
      message: 'failed to get disk format of disk /dev/d: exit status 1: dd: failed to open',
      reason: 'GetDiskFormatFailed',
    });
    expect(calls).toEqual([probe, readable]);
  });

  it('does not begin without knowing what is on the disk', async () => {
    const { mounts, mount } = node({ blkid: { code: 4, stderr: 'oops\n' } });
    await expect(mount()).rejects.toMatchObject({
      message: 'failed to get disk format of disk /dev/d: exit status 4: oops',
      reason: 'GetDiskFormatFailed',
    });
    const odd = node({ blkid: { stdout: 'a=b=c' } });
    await expect(odd.mount()).rejects.toThrow('/dev/d: blkid returns invalid output: a=b=c');
    expect([...mounts.requests, ...odd.mounts.requests]).toEqual([]);
  });

  it('refuses an empty disk that is read-only, and one that cannot be formatted', async () => {
    await expect(node({ blkid: unformatted }).mount({ options: ['ro'] })).rejects.toMatchObject({
      message: 'cannot mount unformatted disk /dev/d as we are manipulating it in read-only mode',
      reason: 'UnformattedReadOnly',
    });
    const { mount } = node({ blkid: unformatted, 'mkfs.ext4': { code: 1, stderr: 'no space' } });
    await expect(mount({ options: ['a'], sensitiveOptions: ['key'] })).rejects.toMatchObject({
      message:
        'format of disk "/dev/d" failed: type:("ext4") target:("/m") options:("a,defaults,<masked>") ' +
        'errcode:(exit status 1) output:(no space) ',
      reason: 'FormatFailed',
    });
  });

  it('does not check a disk that is mounted read-only', async () => {
    const { calls, mount } = node({ blkid: formatted('ext4') });
    await mount({ options: ['ro'] });
    expect(calls).toEqual([probe]);
  });

  it.each<[string, Answer, 'mounted' | 'refused', string]>([
    ['corrected errors', { code: 1 }, 'mounted', 'Device /dev/d has errors which were corrected by fsck.'],
    ['errors that stay', { code: 4, stdout: 'bad' }, 'refused', ''],
    ['another status', { code: 8 }, 'mounted', 'fsck on device /dev/d failed with error exit status 8, output: '],
    [
      'no fsck',
      { code: 1, end: { how: 'not-started', error: { code: 'ENOENT' } } },
      'mounted',
      "'fsck' not found on system; continuing mount without running 'fsck'.",
    ],
  ])('fsck: %s', async (_what, fsck, outcome, logged) => {
    const { mounts, logger, mount } = node({ blkid: formatted('ext4'), fsck });
    if (outcome === 'mounted') {
      await mount();
      expect([...logger.messages('info'), ...logger.messages('warning')]).toEqual([logged]);
    } else {
      await expect(mount()).rejects.toMatchObject({
        message: "'fsck' found errors on device /dev/d but could not correct them: bad",
        reason: 'HasFilesystemErrors',
      });
    }
    expect(mounts.requests).toHaveLength(outcome === 'mounted' ? 1 : 0);
  });

  it('says of a failed mount whether the disk has another file system', async () => {
    const refuse = async (fsType: string): Promise<unknown> => {
      const { mounts, mount } = node({ blkid: formatted('xfs') });
      mounts.beforeEach = () => Promise.reject(new Error('mount failed: exit status 32'));
      return mount({ fsType }).catch((error: unknown) => error);
    };
    const message = 'mount failed: exit status 32';
    expect(await refuse('ext4')).toMatchObject({ message, reason: 'FilesystemMismatch' });
    expect(await refuse('xfs')).toMatchObject({ message, reason: 'UnknownMountError' });
  });
});

describe('resize', () => {
  it.each([
    ['ext3', 'resize2fs /dev/d'],
    ['ext4', 'resize2fs /dev/d'],
    ['xfs', 'xfs_growfs -d /m'],
    ['btrfs', 'btrfs filesystem resize max /m'],
  ])('grows %s', async (type, command) => {
    const { calls, disks } = node({ blkid: formatted(type) });
    await disks.resize('/dev/d', '/m');
    expect(calls).toEqual([probe, command]);
  });

  it('leaves an unformatted disk, and refuses other file systems', async () => {
    const empty = node({ blkid: unformatted });
    await empty.disks.resize('/dev/d', '/m');
    expect(empty.calls).toEqual([probe, readable]);
    await expect(node({ blkid: formatted('vfat') }).disks.resize('/dev/d', '/m')).rejects.toMatchObject({
      message: 'ResizeFS.Resize - resize of format vfat is not supported for device /dev/d mounted at /m',
      code: 'unimplemented',
    });
    await expect(node({ blkid: { code: 4 } }).disks.resize('/dev/d', '/m')).rejects.toThrow(
      'ResizeFS.Resize - error checking format for device /dev/d: exit status 4',
    );
    const failing = node({ blkid: formatted('ext4'), resize2fs: { code: 1, stderr: 'no' } });
    await expect(failing.disks.resize('/dev/d', '/m')).rejects.toThrow(
      'resize of device /dev/d failed: exit status 1. resize2fs output: no',
    );
  });
});
