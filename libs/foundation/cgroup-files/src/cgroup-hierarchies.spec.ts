import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cgroupHierarchies, controllersVersion, type CgroupHierarchy } from './cgroup-hierarchies.js';

describe('the hierarchies of a machine', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hierarchies-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function hierarchiesOf(...lines: readonly string[]): Promise<readonly CgroupHierarchy[]> {
    const file = path.join(folder, 'mountinfo');
    await writeFile(file, `${lines.join('\n')}\n`);
    return cgroupHierarchies(file);
  }

  const root = '27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw';
  const unified =
    '41 31 0:38 / /sys/fs/cgroup/unified rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate';

  it('has v1 ones with their controllers, and a v2 one beside them', async () => {
    const found = await hierarchiesOf(
      root,
      '31 23 0:28 / /sys/fs/cgroup ro,nosuid,nodev,noexec shared:8 - tmpfs tmpfs ro,mode=755',
      '32 31 0:29 / /sys/fs/cgroup/systemd rw,relatime shared:10 - cgroup cgroup rw,xattr,release_agent=/lib/systemd/systemd-cgroups-agent,name=systemd',
      '33 31 0:30 /docker/1f /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
      unified,
    );
    expect(found).toEqual([
      { mountPoint: '/sys/fs/cgroup/systemd', version: 1, controllers: ['systemd'] },
      { mountPoint: '/sys/fs/cgroup/cpu,cpuacct', version: 1, controllers: ['cpu', 'cpuacct'] },
      { mountPoint: '/sys/fs/cgroup/unified', version: 2, controllers: [] },
    ]);
    expect(controllersVersion(found)).toBe(1);
  });

  it('has v2 alone', async () => {
    const found = await hierarchiesOf(root, '30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw');
    expect(found).toEqual([{ mountPoint: '/sys/fs/cgroup', version: 2, controllers: [] }]);
    expect(controllersVersion(found)).toBe(2);
  });

  it('may lie below a folder whose name the kernel escapes', async () => {
    const [found] = await hierarchiesOf(String.raw`41 31 0:38 / /run/a\040b/c\134d rw - cgroup2 cgroup2 rw`);
    expect(found?.mountPoint).toBe(String.raw`/run/a b/c\d`);
  });

  it('has none', async () => {
    expect(controllersVersion(await hierarchiesOf(root))).toBeUndefined();
  });
});
