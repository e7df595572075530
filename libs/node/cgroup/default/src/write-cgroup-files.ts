import path from 'node:path';
import type { CgroupFiles } from './cgroup-files.js';
import { isAbsent, isRefused } from '@podwright/cgroup-files';
import type { OnRefused } from './cgroup-tree.js';
import type { CgroupWrite } from './cgroup-values.js';

/**
 * Writes the files of one cgroup: one after another within a controller, controllers in parallel. `directoryOf` returns
 * undefined for a missing controller, whose values are skipped.
 */
export async function writeCgroupFiles(
  files: CgroupFiles,
  writes: readonly CgroupWrite[],
  directoryOf: (controller: string) => string | undefined,
  onRefused: OnRefused | undefined,
): Promise<void> {
  const controllers = [...new Set(writes.map(({ controller }) => controller))];
  await Promise.all(
    controllers.map(async (controller) => {
      const directory = directoryOf(controller);
      if (directory === undefined) return;
      const own = writes.filter((write) => write.controller === controller);
      let postponed: CgroupWrite | undefined;
      for (const write of own) {
        try {
          await files.write(path.join(directory, write.file), write.content);
        } catch (error) {
          if (write.optional === true && isAbsent(error)) continue;
          if (write.file === periodFile && isInvalid(error) && own.some(({ file }) => file === quotaFile)) {
            postponed = write;
          } else if (onRefused !== undefined && isRefused(error)) onRefused(write, error);
          else throw error;
        }
      }
      if (postponed !== undefined) await files.write(path.join(directory, postponed.file), postponed.content);
    }),
  );
}

// The old quota over the new period may exceed what the parent allows; the period is then written again after the new
// quota.
const periodFile = 'cpu.cfs_period_us';
const quotaFile = 'cpu.cfs_quota_us';

function isInvalid(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EINVAL';
}
