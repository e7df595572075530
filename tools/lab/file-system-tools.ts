interface ToolPackage {
  /** The programs that are wanted; when one of them is missing, the packages are unpacked. */
  readonly programs: readonly [string, ...string[]];
  readonly group: string;
  readonly packages: readonly string[];
}

/** What kubelets and CSI drivers make, check and grow file systems with, and the packages that have it. */
const fileSystemTools: readonly ToolPackage[] = [
  {
    programs: ['mkfs.xfs', 'xfs_growfs', 'xfs_io'],
    group: 'xfsprogs',
    packages: ['xfsprogs', 'libinih1', 'liburcu8', 'libedit2', 'libbsd0', 'libmd0', 'libtinfo6'],
  },
  {
    programs: ['mkfs.ext4', 'resize2fs', 'dumpe2fs', 'e2fsck'],
    group: 'e2fsprogs',
    packages: ['e2fsprogs', 'libext2fs2', 'libss2', 'libcom-err2'],
  },
  { programs: ['fsck', 'blkid', 'blockdev'], group: 'util-linux', packages: ['util-linux', 'util-linux-extra'] },
  { programs: ['losetup'], group: 'mount', packages: ['mount', 'libsmartcols1'] },
];

export interface FindFileSystemToolsOptions {
  readonly onPath: (program: string) => Promise<string | undefined>;
  /** Unpacks packages of the machine's own suite and resolves with the folder. */
  readonly unpack: (group: string, packages: readonly string[]) => Promise<string>;
  readonly log: (line: string) => void;
}

/**
 * Folders of unpacked packages with the file system tools that the machine lacks. The lab works without them, so packages
 * that cannot be fetched are only logged.
 */
export async function findFileSystemTools({
  onPath,
  unpack,
  log,
}: FindFileSystemToolsOptions): Promise<readonly string[]> {
  const roots: string[] = [];
  for (const { programs, group, packages } of fileSystemTools) {
    const found = await Promise.all(programs.map(onPath));
    if (found.every((file) => file !== undefined)) continue;
    try {
      roots.push(await unpack(group, packages));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`no ${programs.join(', ')}: ${reason}`);
    }
  }
  return roots;
}
