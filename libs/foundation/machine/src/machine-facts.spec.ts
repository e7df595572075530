import { describe, expect, it, beforeEach, afterEach } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { goArchitecture, meminfoBytes, readMachineFacts } from './machine-facts.js';

const meminfo = 'MemTotal:       24684096 kB\nMemFree:        24107592 kB\nSwapTotal:          1024 kB\n';

describe('facts of a machine', () => {
  let host: string;
  const put = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(host, file)), { recursive: true });
      await writeFile(path.join(host, file), text);
    }
  };
  beforeEach(async () => {
    host = await mkdtemp(path.join(tmpdir(), 'podwright-machine-'));
  });
  afterEach(() => rm(host, { recursive: true, force: true }));

  it('come from /proc, /sys and /etc', async () => {
    await put({
      'proc/meminfo': meminfo,
      'proc/sys/kernel/random/boot_id': 'boot\n',
      'sys/devices/system/cpu/online': '0-2,5\n',
      'sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages': '1\n',
      'sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages': '16\n',
      'sys/class/dmi/id/product_uuid': 'uuid\n',
      'etc/machine-id': 'machine\n',
      'etc/os-release': 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    });
    const facts = await readMachineFacts({ hostRoot: host, rootDir: host });
    expect(facts).toMatchObject({
      cores: 4,
      memoryBytes: 24684096 * 1024,
      swapBytes: 1024 * 1024,
      hugePages: [
        { sizeBytes: 2 ** 21, pages: 16 },
        { sizeBytes: 2 ** 30, pages: 1 },
      ],
      machineId: 'machine',
      systemUuid: 'uuid',
      bootId: 'boot',
      osImage: 'Debian GNU/Linux 12 (bookworm)',
    });
    expect(facts.rootFsBytes).toBeGreaterThan(0n);
  });

  it('take the IDs from the first of the named files that can be read', async () => {
    await put({ 'proc/meminfo': meminfo, 'etc/machine-id': 'usual', 'etc/mine': 'mine\n', 'run/boot': '' });
    const ids = { machineIdFile: '/etc/none,/etc/mine,/etc/machine-id', bootIdFile: '/run/boot,/etc/mine' };
    const facts = await readMachineFacts({ hostRoot: host, rootDir: host, ...ids });
    expect(facts).toMatchObject({ machineId: 'mine', systemUuid: 'mine', bootId: '' });
  });

  it('make do with less, but not without the memory', async () => {
    await expect(readMachineFacts({ hostRoot: host, rootDir: host })).rejects.toThrow('meminfo');
    await put({
      'proc/meminfo': 'MemTotal: 1 kB',
      'proc/cpuinfo': 'processor : 0\n\nprocessor\t: 1\n',
      'var/lib/dbus/machine-id': 'old\n',
    });
    expect(await readMachineFacts({ hostRoot: host, rootDir: path.join(host, 'missing') })).toMatchObject({
      cores: 2,
      memoryBytes: 1024,
      swapBytes: 0,
      hugePages: [],
      rootFsBytes: undefined,
      machineId: 'old',
      systemUuid: 'old',
      osImage: 'Unknown',
    });
  });

  it.each([
    ['x64', 'amd64'],
    ['arm64', 'arm64'],
    ['ppc64', 'ppc64le'],
    ['riscv64', 'riscv64'],
  ])('call %s %s', (arch, expected) => {
    expect(goArchitecture(arch)).toBe(expected);
  });

  it('know no line of another name', () => {
    expect(meminfoBytes(meminfo, 'Total')).toBe(0);
  });
});
