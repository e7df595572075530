import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { tryCommand, unlessMissing } from './commands.js';

/** Loop devices of files below the folders, removed files too. */
export async function loopDevicesBelow(folders: readonly string[], sysBlock = '/sys/block'): Promise<string[]> {
  const names = ((await unlessMissing(readdir(sysBlock))) ?? []).filter((name) => name.startsWith('loop'));
  const devices = await Promise.all(
    names.map(async (name) => {
      // A device without a file has no such entry.
      const file = await unlessMissing(readFile(path.join(sysBlock, name, 'loop/backing_file'), 'utf8'));
      return file !== undefined && folders.some((folder) => file.startsWith(`${folder}/`)) ? [`/dev/${name}`] : [];
    }),
  );
  return devices.flat();
}

/** Gives back the devices; one that is still mounted somewhere goes with that mount. */
export async function detachLoopDevicesBelow(folders: readonly string[], log: (line: string) => void): Promise<void> {
  for (const device of await loopDevicesBelow(folders)) {
    const { code, stderr } = await tryCommand('losetup', ['--detach', device]);
    if (code !== 0) log(`${device} stays: ${stderr.trim()}`);
  }
}
