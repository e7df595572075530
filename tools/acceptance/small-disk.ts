import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tryCommand, unmountBelow } from '@podwright/lab';

/** A file system of its own in a file, mounted at a folder; nothing of the machine's disk is short when it is full. */
export class SmallDisk {
  private constructor(
    readonly mountPoint: string,
    private readonly image: string,
  ) {}

  /** Makes and mounts one; rejects where the machine has no loop devices or no mkfs. */
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

  /** Unmounts it with all that is mounted in it, and removes the file. */
  async remove(): Promise<void> {
    await unmountBelow([this.mountPoint], () => undefined);
    await rm(this.image, { force: true });
  }
}

async function run(file: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await tryCommand(file, args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr.trim()}`);
}
