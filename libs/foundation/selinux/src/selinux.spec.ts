import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseMountTable } from '@podwright/filesystem';
import { createSeededRandom } from '@podwright/time';
import {
  loadSeLinux,
  seLinuxContextOf,
  seLinuxMountOption,
  supportsSeLinuxLabels,
  type SeLinux,
  type SeLinuxOptions,
} from './index.js';

const enabledMount = '25 1 0:23 / /sys/fs/selinux rw,nosuid - selinuxfs selinuxfs rw';
const fedora = [
  'process = "system_u:system_r:container_t:s0"',
  'content = "system_u:object_r:virt_var_lib_t:s0"',
  'file = "system_u:object_r:container_file_t:s0"',
].join('\n');

describe('SELinux', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selinux-'));
  });
  afterEach(async () => rm(folder, { recursive: true }));

  async function load(over: { contexts?: string; current?: string; mounts?: string } = {}): Promise<SeLinux> {
    const { contexts = fedora, current = 'system_u:system_r:kubelet_t:s0', mounts = enabledMount } = over;
    await mkdir(join(folder, 'targeted/contexts'), { recursive: true });
    await writeFile(join(folder, 'config'), '# comment\nSELINUX=enforcing\n; other\nSELINUXTYPE=targeted\n');
    await writeFile(join(folder, 'targeted/contexts/lxc_contexts'), `# labels\n${contexts}\n`);
    await writeFile(join(folder, 'current'), `${current}\0`);
    return loadSeLinux({
      random: createSeededRandom(7),
      configDir: folder,
      currentLabelPath: join(folder, 'current'),
      readMounts: async () => parseMountTable(mounts),
    });
  }

  it.each([
    ['has a policy', {}, true],
    ['has no file system for it', { mounts: '25 1 0:23 / /sys rw - sysfs sysfs rw' }, false],
    ['has only a read-only one', { mounts: '25 1 0:23 / /sys/fs/selinux ro - selinuxfs selinuxfs ro' }, false],
    ['has loaded no policy', { current: 'kernel' }, false],
  ])('on a machine that %s', async (_what, over, enabled) => {
    const { labels, ...seLinux } = await load(over);
    expect(seLinux.enabled).toBe(enabled);
    expect(labels({ level: 's0:c1,c2' }).file).toBe(enabled ? 'system_u:object_r:container_file_t:s0:c1,c2' : '');
  });

  it.each<[string, SeLinuxOptions | undefined, string, string]>([
    ['nothing', undefined, '', ''],
    ['empty options', { user: '', level: '' }, '', ''],
    [
      'a level',
      { level: 's0:c1,c2' },
      'system_u:system_r:container_t:s0:c1,c2',
      'system_u:object_r:container_file_t:s0:c1,c2',
    ],
    ['all parts', { user: 'u', role: 'r', type: 't', level: 's1' }, 'u:r:t:s1', 'u:object_r:container_file_t:s1'],
  ])('gives labels for %s', async (_what, options, process, file) => {
    expect((await load()).labels(options)).toEqual({ process, file });
  });

  it('chooses categories where none are asked for, and the same for process and files', async () => {
    const { labels } = await load();
    const seen = Array.from({ length: 50 }, () => labels({ type: 'spc_t' }));
    for (const { process, file } of seen) {
      const [, first, second] = /^system_u:system_r:spc_t:s0:c(\d+),c(\d+)$/.exec(process) ?? [];
      expect(Number(first)).toBeLessThan(Number(second));
      expect(Number(second)).toBeLessThan(1024);
      expect(file).toBe(`system_u:object_r:container_file_t:s0:c${first},c${second}`);
    }
    expect(new Set(seen.map(({ file }) => file)).size).toBeGreaterThan(45);
  });

  it('adds no categories to a policy without levels, and no options to one without labels', async () => {
    const plain = await load({ contexts: 'process = "u:r:t"\nfile = "u:o:f"' });
    expect(plain.labels({ type: 'x' })).toEqual({ process: 'u:r:x', file: 'u:o:f' });
    const none = await load({ contexts: '' });
    expect(none.labels({ level: 's0' })).toEqual({ process: '', file: '' });
    expect(() => plain.labels({ level: 's0' })).not.toThrow();
    const broken = await load({ contexts: 'process = "u"\nfile = "u:o:f:s0"' });
    expect(() => broken.labels({ level: 's0' })).toThrow('invalid SELinux label "u"');
  });

  it('reads and writes the labels of mounts', () => {
    const [labelled, fixed, none] = parseMountTable(
      [
        '30 1 8:1 / /a rw,seclabel - ext4 /dev/sda1 rw,seclabel',
        '31 1 8:2 / /b rw - ext4 /dev/sdb rw,context="system_u:object_r:container_file_t:s0:c1,c2",noatime',
        '32 1 0:9 / /c rw - nfs server:/x rw',
      ].join('\n'),
    );
    const facts = [labelled, fixed, none].map((entry) =>
      entry === undefined ? [] : [supportsSeLinuxLabels(entry), seLinuxContextOf(entry)],
    );
    const label = 'system_u:object_r:container_file_t:s0:c1,c2';
    expect(facts).toEqual([
      [true, undefined],
      [false, label],
      [false, undefined],
    ]);
    expect(seLinuxMountOption(label)).toBe(`context="${label}"`);
  });
});
