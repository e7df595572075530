import type { ContainedFolder } from '@podwright/contained-path';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { LogCompressor } from './log-compressor.js';
import {
  compressedName,
  isCompressed,
  rotatedFrom,
  rotatedName,
  splitExcess,
  splitUnused,
  temporaryName,
} from './rotated-logs.js';

/** A log to rotate. */
export interface DueLog {
  readonly containerId: string;
  readonly path: string;
  /** Name of the log in the folder. */
  readonly name: string;
  readonly folder: ContainedFolder;
  readonly maxFiles: number;
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: number;
}

export interface RotateDeps {
  readonly service: Pick<RuntimeService, 'reopenContainerLog'>;
  readonly compressor: LogCompressor;
  readonly logger: Logger;
}

/**
 * Removes excess files, renames the log and has the runtime reopen it. The compressor works on the older files, so the
 * current log never waits; upstream compresses first. The resulting files are the same. Source: kubernetes v1.36
 * pkg/kubelet/logs/container_log_manager.go rotateLog, rotateLatestLog.
 */
export async function rotateLog(log: DueLog, deps: RotateDeps, signal: AbortSignal): Promise<void> {
  const { name, folder, nowMs } = log;
  const rotated = rotatedName(name, nowMs);
  // A second rotation in the same second, or a clock that was set back, must not overwrite the file.
  const taken = (await folder.names()).some((other) => other === rotated || other.startsWith(`${rotated}.`));
  if (taken) throw failure(`failed to rotate log ${JSON.stringify(folder.pathOf(name))}: ${rotated} is there already`);
  const kept = await makeRoom(log, deps);
  try {
    await rename(log, rotated, deps, signal);
  } finally {
    deps.compressor.submit(
      log.path,
      kept.filter((name) => !isCompressed(name)),
    );
  }
}

/** Removes leftovers of an unfinished rotation. Resolves to the rotated files that hold a part of the log. */
export async function removeUnused(
  { path, name, folder }: Pick<DueLog, 'path' | 'name' | 'folder'>,
  { compressor, logger }: Omit<RotateDeps, 'service'>,
): Promise<readonly string[]> {
  const files = await regularFiles(folder, rotatedFrom(name, await folder.names()), logger);
  const { inUse, unused } = splitUnused(files);
  const current = compressor.current(path);
  // Between its rename and its removal, the file in compression looks like a leftover.
  const underWay = current === undefined ? [] : [current, temporaryName(current)];
  await removeAll(
    folder,
    'unused',
    unused.filter((file) => !underWay.includes(file)),
  );
  return inUse;
}

async function makeRoom(log: DueLog, deps: RotateDeps): Promise<readonly string[]> {
  const { path, folder, maxFiles } = log;
  const { kept, excess } = splitExcess(await removeUnused(log, deps), maxFiles);
  if (excess.length > 0) await deps.compressor.leave(path, excess);
  const packed = excess.filter((name) => !isCompressed(name)).map(compressedName);
  await removeAll(folder, 'old', [...excess, ...packed]);
  return kept;
}

async function rename(
  log: DueLog,
  rotated: string,
  { service, logger }: RotateDeps,
  signal: AbortSignal,
): Promise<void> {
  const { containerId, name, folder } = log;
  await folder.rename(name, rotated);
  try {
    await service.reopenContainerLog({ containerId }, { signal });
  } catch (error) {
    // The runtime may have opened a new log and failed to report it; then the new one stays.
    const back = await folder.renameUnlessTaken(rotated, name).catch((renameError: unknown) => {
      const [rotatedLog, newLog] = [folder.pathOf(rotated), folder.pathOf(name)];
      logger.error('Failed to rename rotated log', { rotatedLog, newLog, containerId, error: renameError });
      return true;
    });
    if (!back) logger.warn('The runtime has opened a new log but did not report success', { containerId, error });
    else throw failure(`failed to reopen container log ${JSON.stringify(containerId)}: ${messageOf(error)}`, error);
  }
}

/**
 * Keeps only regular files: a link or folder among the rotated files is not the kubelet's. A file that vanished since
 * the listing may just have been compressed; then it is there under its new name.
 */
async function regularFiles(
  folder: ContainedFolder,
  names: readonly string[],
  logger: Logger,
): Promise<readonly string[]> {
  const regular: string[] = [];
  const looks = [...names];
  for (const name of looks) {
    const stats = await folder.stat(name);
    if (stats === undefined && !isCompressed(name)) {
      const packed = compressedName(name);
      if (!looks.includes(packed)) looks.push(packed);
      continue;
    }
    if (stats?.isFile() === true) regular.push(name);
    else if (stats !== undefined) {
      logger.debug(2, 'What is no regular file is left alone among rotated logs', { path: folder.pathOf(name) });
    }
  }
  return regular;
}

async function removeAll(folder: ContainedFolder, kind: 'unused' | 'old', names: readonly string[]): Promise<void> {
  for (const name of names) {
    await folder.remove(name).catch((error: unknown) => {
      throw failure(`failed to remove ${kind} log ${JSON.stringify(folder.pathOf(name))}: ${messageOf(error)}`, error);
    });
  }
}

function failure(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'internal', ...(cause !== undefined && { cause }) });
}
