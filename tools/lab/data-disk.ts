import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './commands.js';
import type { LabLayout } from './layout.js';

const mebibyte = 2 ** 20;

/**
 * A small file system of the lab's own for images and snapshots, so that a test can fill it. It is a file in the lab's run folder,
 * mounted at its data folder: whatever removes a lab unmounts and removes it. Rejects where there is no mkfs or no loop device.
 */
export async function mountDataDisk({ runDir, dataDir }: LabLayout, sizeMiB: number): Promise<void> {
  const image = path.join(runDir, 'data.img');
  await mkdir(dataDir, { recursive: true });
  await writeFile(image, '');
  await truncate(image, sizeMiB * mebibyte);
  // No blocks are kept back for root: full is full.
  await runCommand('mke2fs', ['-q', '-t', 'ext4', '-m', '0', '-F', image]);
  await runCommand('mount', ['-o', 'loop', image, dataDir]);
}
