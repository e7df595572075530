import { lstat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '@podwright/errors';

// Magic numbers of linux/magic.h.
const tmpfs = 0x01021994;
const hugetlbfs = 0x958458f6;

/** The file system of a path, as far as volumes must distinguish them, and whether it is mounted there. */
export interface FileSystemAt {
  readonly type: 'tmpfs' | 'hugetlbfs' | 'other';
  /**
   * True when the path is on another device than its parent, as every mount of another file system is, such as a tmpfs.
   * False for a bind mount within one file system: find those in the mount table.
   */
  readonly ownDevice: boolean;
}

/** The file system of a path; undefined when the path does not exist. Does not follow a link at its end. */
export async function fileSystemAt(path: string): Promise<FileSystemAt | undefined> {
  try {
    const [own, parent, info] = await Promise.all([lstat(path), lstat(dirname(path)), statfs(path)]);
    const type = info.type === tmpfs ? 'tmpfs' : info.type === hugetlbfs ? 'hugetlbfs' : 'other';
    return { type, ownDevice: own.dev !== parent.dev };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
