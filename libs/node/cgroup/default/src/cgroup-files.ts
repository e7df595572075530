import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { createToken } from '@podwright/assembly-interface';
import { absentIs } from '@podwright/cgroup-files';

/** The few operations on cgroups, so that specs can imitate what the kernel puts into a new one. Errors are the kernel's. */
export interface CgroupFiles {
  /** True when it was not there yet. Its parent must exist. */
  makeDirectory(directory: string): Promise<boolean>;
  /** A missing one is fine. */
  removeDirectory(directory: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  read(file: string): Promise<string>;
  /** Rejects with ENOENT for a file that this kernel does not have. */
  write(file: string, content: string): Promise<void>;
}

/** Takes the place of the kernel's files when somebody provides it. */
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
  read: async (file) => (await readFile(file, 'utf8')).trim(),
  // Without the flag a missing file would be made, which the kernel answers with EACCES or EPERM, as if we had no right to.
  write: (file, content) =>
    writeFile(file, content, { flag: 'r+' }).catch((error: NodeJS.ErrnoException) => {
      // The kernel answers the write, not the open, and that error does not know its file.
      const told = new Error(`failed to write ${content} to ${file}: ${error.message}`, { cause: error });
      throw Object.assign(told, { code: error.code });
    }),
};
