import { lstat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

// Magic numbers of linux/magic.h.
const tmpfs = 0x01021994;
const hugetlbfs = 0x958458f6;

/** File system that a path lies on, as far as volumes must tell them apart, and whether it is mounted there. */
export interface FileSystemAt {
  readonly type: 'tmpfs' | 'hugetlbfs' | 'other';
  /**
   * The path is on another device than its parent. Sees every mount of a file system of its own, such as a tmpfs, but no
   * bind mount of a directory of the same file system: look into the mount table for those.
   */
  readonly ownDevice: boolean;
}

/** Undefined when nothing is there. The last part of the path is not followed as a link. */
export async function fileSystemAt(path: string): Promise<FileSystemAt | undefined> {
  try {
    const [own, parent, info] = await Promise.all([lstat(path), lstat(dirname(path)), statfs(path)]);
    const type = info.type === tmpfs ? 'tmpfs' : info.type === hugetlbfs ? 'hugetlbfs' : 'other';
    return { type, ownDevice: own.dev !== parent.dev };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
