import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { LogFolder } from './log-folder.js';
import { compressedName, temporaryName } from './rotated-logs.js';

const blockBytes = 256 * 1024;
const permissionBits = 0o7777;

/**
 * Makes `<name>.gz` of a file and removes it: in a stream, the work is done in Node's threads for it. What there is under the new name
 * is whole: it is written under another one first. A file that is gone, or goes meanwhile with its container, leaves nothing.
 * Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go compressLog.
 */
export async function compressLog(folder: LogFolder, name: string, signal: AbortSignal): Promise<void> {
  const temporary = temporaryName(name);
  try {
    const { source, target } = await openBoth(folder, name, temporary);
    // The streams close both files, whatever happens.
    await pipeline(
      source.createReadStream({ highWaterMark: blockBytes }),
      createGzip({ chunkSize: blockBytes }),
      target.createWriteStream({ highWaterMark: blockBytes }),
      { signal },
    );
    const wasRemoved = (await folder.stat(name)) === undefined;
    if (wasRemoved) return;
    await folder.rename(temporary, compressedName(name));
    await folder.remove(name);
  } finally {
    await folder.remove(temporary);
  }
}

async function openBoth(
  folder: LogFolder,
  name: string,
  temporary: string,
): Promise<{ readonly source: FileHandle; readonly target: FileHandle }> {
  const source = await folder.openFile(name);
  try {
    const { mode } = await source.stat();
    await folder.remove(temporary);
    return { source, target: await folder.createFile(temporary, mode & permissionBits) };
  } catch (error) {
    await source.close();
    throw error;
  }
}
