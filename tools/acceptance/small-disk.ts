import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tryCommand, unmountBelow } from '@podwright/lab';

/**
 * A small file system in a file, mounted at a folder, so that a test can fill it without filling the machine's disk.
 */
export class SmallDisk {
  private constructor(
    readonly mountPoint: string,
    private readonly image: string,
  ) {}

  /** Creates and mounts it; rejects without loop devices or mkfs. */
  static async create(mountPoint: string, bytes: number): Promise<SmallDisk> {
    const image = `${mountPoint}.img`;
    await mkdir(path.dirname(image), { recursive: true });
    await mkdir(mountPoint, { recursive: true });
    await writeFile(image, '');
    await truncate(image, bytes);
    const disk = new SmallDisk(mountPoint, image);
    await run('mke2fs', ['-q', '-t', 'ext4', '-F', image]);
    await run('mount', ['-o', 'loop', image, mountPoint]);
    return disk;
  }

  /** Unmounts it and everything mounted in it, and removes the file. */
  async remove(): Promise<void> {
    await unmountBelow([this.mountPoint], () => undefined);
    await rm(this.image, { force: true });
  }
}

async function run(file: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await tryCommand(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr.trim()}`);
}
