import { describe, expect, it } from '@jest/globals';
import { findFileSystemTools } from './file-system-tools.js';

describe('findFileSystemTools', () => {
  const find = async (
    missing: readonly string[],
    unpack = async (group: string): Promise<string> => `/cache/${group}`,
  ): Promise<{ readonly roots: readonly string[]; readonly unpacked: readonly string[]; readonly lines: string[] }> => {
    const [unpacked, lines]: [string[], string[]] = [[], []];
    const roots = await findFileSystemTools({
      onPath: async (program) => (missing.includes(program) ? undefined : `/usr/sbin/${program}`),
      unpack: (group, packages) => {
        unpacked.push(...packages);
        return unpack(group);
      },
      log: (line) => lines.push(line),
    });
    return { roots, unpacked, lines };
  };

  it('unpacks nothing on a machine that has all programs', async () => {
    expect(await find([])).toEqual({ roots: [], unpacked: [], lines: [] });
  });

  it('unpacks the packages of each group with a missing program, with their libraries', async () => {
    const { roots, unpacked } = await find(['xfs_growfs', 'losetup']);
    expect(roots).toEqual(['/cache/xfsprogs', '/cache/mount']);
    expect(unpacked).toEqual(expect.arrayContaining(['xfsprogs', 'liburcu8', 'mount', 'libsmartcols1']));
    expect(unpacked).not.toContain('e2fsprogs');
  });

  it('says which programs the lab goes without when packages cannot be fetched', async () => {
    const { roots, lines } = await find(['mkfs.xfs', 'mkfs.ext4'], async (group) => {
      if (group === 'xfsprogs') throw new Error('no mirror');
      return `/cache/${group}`;
    });
    expect([roots, lines]).toEqual([['/cache/e2fsprogs'], ['no mkfs.xfs, xfs_growfs, xfs_io: no mirror']]);
  });
});
