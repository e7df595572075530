import { syncDirectory } from '@podwright/checkpoint';
import { open, rename, rm } from 'node:fs/promises';

/** The steps that change the disk. A transaction may be cut off before, after and in the middle of each. */
export interface ObjectDisk {
  /** Writes a new file and syncs its content. */
  write(file: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A missing file is no error. */
  remove(file: string): Promise<void>;
  /** Makes what happened to the entries of a folder durable. */
  sync(directory: string): Promise<void>;
}

export const nodeDisk: ObjectDisk = {
  async write(file, text) {
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  remove: (file) => rm(file, { force: true }),
  sync: syncDirectory,
};
