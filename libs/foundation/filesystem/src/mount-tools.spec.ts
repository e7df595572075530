import { describe, expect, it } from '@jest/globals';
import type { RunProgram } from '@podwright/program';
import { createMountTools, parseMountTable, type MountTools } from './index.js';
import { listsAtOnce, readTwice } from './mount-table.js';

const table = parseMountTable(
  [
    '1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
    '2 1 0:40 / /t rw - tmpfs tmpfs rw',
    '3 1 8:2 / /data rw,nosuid,noexec,noatime - ext4 /dev/sdb ro',
  ].join('\n'),
);

interface Answers {
  readonly code?: number;
  readonly output?: string;
  readonly mounterPath?: string;
  readonly systemd?: boolean;
}

function answering({ code = 0, output = '', mounterPath, systemd = true }: Answers = {}) {
  const calls: string[] = [];
  const run: RunProgram = async ({ file, args }) => {
    calls.push([file, ...args].join(' '));
    const status = args.includes('true') ? Number(!systemd) : code;
    const problem = status === 0 ? undefined : `exit status ${status}`;
    return { end: { how: 'exited', code: status }, problem, stdout: '', stderr: output };
  };
  const tools: MountTools = createMountTools({ run, list: async () => table, mounterPath });
  return { calls, tools };
}

describe('mount tools', () => {
  it('run mount and umount by argv', async () => {
    const { calls, tools } = answering();
    await tools.mount({ source: 'tmpfs', target: '/x', fsType: 'tmpfs', options: ['size=1', 'noswap'] });
    await tools.mount({ source: '/a', target: '/b' });
    await tools.mount({ source: '', target: '/b', options: ['remount', 'ro'] });
    await tools.mount({ source: '/proc/1/fd/2', target: '/b', options: ['bind'], canonicalize: false });
    await tools.unmount('/t');
    await tools.unmount('/t', undefined, { force: true });
    expect(calls).toEqual([
      'mount -t tmpfs -o size=1,noswap tmpfs /x',
      'mount /a /b',
      'mount -o remount,ro /b',
      'mount --no-canonicalize -o bind /proc/1/fd/2 /b',
      'umount /t',
      'umount -f /t',
    ]);
  });

  it('give a bind mount its other options in a second step, with the flags of its source', async () => {
    const { calls, tools } = answering();
    await tools.mount({ source: '/data', target: '/b', options: ['bind', 'nosuid', '_netdev'] });
    await tools.mount({ source: '/data', target: '/b', options: ['bind', 'remount'], sensitiveOptions: ['key=1'] });
    await tools.mount({ source: '/t', target: '/b', options: ['bind', 'ro'], fsType: 'auto' });
    expect(calls).toEqual([
      'mount -o bind,_netdev /data /b',
      'mount -o bind,remount,nosuid,noexec,noatime,ro /data /b',
      'mount -o bind,key=1 /data /b',
      'mount -o bind,remount,nosuid,noexec,noatime,ro,key=1 /data /b',
      'mount -t auto -o bind /t /b',
      'mount -t auto -o bind,remount,ro /t /b',
    ]);
  });

  it('mount in a scope of its own where systemd runs, and probe for it once', async () => {
    const disk = { source: '/dev/sdc', target: '/d', fsType: 'ext4', ownScope: true };
    const { calls, tools } = answering();
    await tools.mount(disk);
    await tools.mount(disk);
    const inScope = 'systemd-run --description=Kubernetes transient mount for /d --scope -- mount -t ext4 /dev/sdc /d';
    const probe = 'systemd-run --description=Kubernetes systemd probe --scope true';
    expect(calls).toEqual([probe, inScope, inScope]);
    const without = answering({ systemd: false });
    await without.tools.mount(disk);
    expect(without.calls).toEqual([probe, 'mount -t ext4 /dev/sdc /d']);
  });

  it('mount network file systems with the mounter that the node names', async () => {
    const { calls, tools } = answering({ mounterPath: '/opt/mounter' });
    await tools.mount({ source: 's:/e', target: '/n', fsType: 'nfs', options: ['ro'] });
    await tools.mount({ source: '/dev/sdc', target: '/d', fsType: 'ext4' });
    await tools.mount({ source: '/t', target: '/n', fsType: 'nfs', options: ['bind'] });
    expect(calls).toEqual([
      '/opt/mounter mount -t nfs -o ro s:/e /n',
      'mount -t ext4 /dev/sdc /d',
      'mount -t nfs -o bind /t /n',
    ]);
  });

  it('report a failed mount with its arguments, except sensitive options', async () => {
    const { tools } = answering({ code: 32, output: 'mount: permission denied.' });
    await expect(
      tools.mount({ source: 'a', target: '/x', fsType: 'cifs', options: ['ro'], sensitiveOptions: ['password=1'] }),
    ).rejects.toThrow(
      'mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t cifs -o ro,<masked> a /x\n' +
        'Output: mount: permission denied.',
    );
    await expect(tools.mount({ source: 'a', target: '/x', options: ['bind'] })).rejects.toThrow(
      'Mounting arguments:  -o bind a /x\n',
    );
  });

  it('report a failed unmount only of what is mounted, whatever umount writes', async () => {
    const { tools } = answering({ code: 32, output: 'umount: bad luck.' });
    await expect(tools.unmount('/t')).rejects.toThrow(
      'unmount failed: exit status 32\nUnmounting arguments: /t\nOutput: umount: bad luck.',
    );
    await expect(tools.unmount('/gone')).resolves.toBeUndefined();
  });
});

describe('reading the mount table', () => {
  it('is repeated on kernels that list it in parts', () => {
    const releases = ['5.7.19', '4.18.0-553.el8', '5.8.0', '5.10.0-28', '6.1.0', '10.0'];
    expect(releases.map(listsAtOnce)).toEqual([false, false, true, true, true, true]);
  });

  it('takes a text that comes twice, and gives up after ten reads', async () => {
    const texts = ['a', 'b', 'b', 'c'];
    expect(await readTwice('/m', async () => texts.shift() ?? '')).toBe('b');
    let reads = 0;
    await expect(readTwice('/m', async () => String(++reads))).rejects.toThrow(
      'could not get consistent content of /m after 10 attempts',
    );
    expect(reads).toBe(10);
  });
});
