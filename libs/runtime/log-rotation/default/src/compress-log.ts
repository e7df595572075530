import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ContainedFolder } from '@podwright/contained-path';
import { compressedName, temporaryName } from './rotated-logs.js';

const blockBytes = 256 * 1024;
const permissionBits = 0o7777;

/**
 * Compresses a file to `<name>.gz` and removes it. Node's worker threads compress, so the event loop stays free. The
 * result is written under a temporary name, so `<name>.gz` is always complete. A file that is missing, or is removed
 * meanwhile with its container, leaves nothing. Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go
 * compressLog.
 */
export async function compressLog(folder: ContainedFolder, name: string, signal: AbortSignal): Promise<void> {
  const temporary = temporaryName(name);
  try {
    const { source, target } = await openBoth(folder, name, temporary);
    // The streams close both files in every case.
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
  folder: ContainedFolder,
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
