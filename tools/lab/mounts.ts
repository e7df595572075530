import { mountsBelow, readMountTable } from '@podwright/filesystem';
import { tryCommand } from './commands.js';
import type { LabLayout } from './layout.js';
import { detachLoopDevicesBelow } from './loop-devices.js';

export async function labMounts(layout: LabLayout): Promise<string[]> {
  return mountPoints([layout.runDir, layout.dataDir]);
}

/** Unmounts all mounts of the lab; lazily only those that are busy although no process of the lab is running. */
export function unmountAll(layout: LabLayout, log: (line: string) => void): Promise<void> {
  return unmountBelow([layout.runDir, layout.dataDir], log);
}

/** Unmounts everything at or below the folders, lazily what is busy, and gives back loop devices of files there. */
export async function unmountBelow(folders: readonly string[], log: (line: string) => void): Promise<void> {
  await unmountWhatCanBe(folders);
  // A loop device keeps the mount that its file is in busy.
  await detachLoopDevicesBelow(folders, log);
  await unmountWhatCanBe(folders);
  for (const point of await mountPoints(folders)) {
    const { code, stderr } = await tryCommand('umount', [point]);
    if (code === 0) continue;
    log(`${point} is still in use; the kernel ends this mount once nothing uses it any more (${stderr.trim()})`);
    await tryCommand('umount', ['-l', point]);
  }
}

async function unmountWhatCanBe(folders: readonly string[]): Promise<void> {
  const points = await mountPoints(folders);
  // In batches: one process per mount would take seconds for a hundred pods, and an argument list has a limit.
  for (let start = 0; start < points.length; start += 200) {
    await tryCommand('umount', points.slice(start, start + 200));
  }
}

/** Mount points in the order to unmount them. */
async function mountPoints(folders: readonly string[]): Promise<string[]> {
  return mountsBelow(await readMountTable(), ...folders).map(({ mountPoint }) => mountPoint);
}
