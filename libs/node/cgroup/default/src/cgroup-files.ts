import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { createToken } from '@podwright/assembly-interface';
import { absentIs, readKernelFile, subdirectories } from '@podwright/cgroup-files';
import { errnoWords } from '@podwright/errors';

/**
 * The file operations on cgroups, replaceable so that specs can imitate the kernel's files in a new cgroup. Rejects
 * with the kernel's errors.
 */
export interface CgroupFiles {
  /** Resolves to true when it created the directory. The parent must exist. */
  makeDirectory(directory: string): Promise<boolean>;
  /** Does nothing when the directory does not exist. */
  removeDirectory(directory: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Names of the directories in it; empty when it does not exist. */
  subdirectories(directory: string): Promise<readonly string[]>;
  read(file: string): Promise<string>;
  /** Rejects with ENOENT for a file that this kernel does not have. */
  write(file: string, content: string): Promise<void>;
}

/** Optional: replaces the kernel's files. */
export const CGROUP_FILES = createToken<CgroupFiles>('kubelet.cgroup.files/v1');

export const kernelCgroupFiles: CgroupFiles = {
  makeDirectory: (directory) =>
    mkdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    ),
  removeDirectory: (directory) => rmdir(directory).catch(absentIs(undefined)),
  exists: (path) => access(path).then(() => true, absentIs(false)),
  subdirectories,
  read: async (file) => (await readKernelFile(file)).trim(),
  // Without the flag, open would try to create a missing file; the kernel answers with EACCES or EPERM, as if
  // permissions were missing.
  write: (file, content) =>
    writeFile(file, content, { flag: 'r+' }).catch((error: NodeJS.ErrnoException) => {
      throw Object.assign(new Error(inUpstreamsWords(file, content, error), { cause: error }), { code: error.code });
    }),
};

// Events of pods show it. Source: opencontainers/cgroups v0.0.6 file.go WriteFile.
function inUpstreamsWords(file: string, content: string, error: NodeJS.ErrnoException): string {
  if (error.syscall === 'open') return `openat2 ${file}: ${errnoWords(error)}`;
  return `failed to write ${JSON.stringify(content)}: write ${file}: ${errnoWords(error)}`;
}
