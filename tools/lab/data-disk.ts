import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './commands.js';
import type { LabLayout } from './layout.js';

const mebibyte = 2 ** 20;

/**
 * Mounts a small file system for images and snapshots, so that a test can fill it. It is a file in the lab's run
 * folder, mounted at its data folder, so removing the lab removes it too. Rejects without mkfs or loop devices.
 */
export async function mountDataDisk({ runDir, dataDir }: LabLayout, sizeMiB: number): Promise<void> {
  const image = path.join(runDir, 'data.img');
  await mkdir(dataDir, { recursive: true });
  await writeFile(image, '');
  await truncate(image, sizeMiB * mebibyte);
  // Reserves no blocks for root, so that a full disk is full for every user.
  await runCommand('mke2fs', ['-q', '-t', 'ext4', '-m', '0', '-F', image]);
  await runCommand('mount', ['-o', 'loop', image, dataDir]);
}
