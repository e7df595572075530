import path from 'node:path';
import type { Clock } from '@podwright/time';
import type { CgroupFiles } from './cgroup-files.js';
import { absentIs, pidsBelow, subdirectories } from '@podwright/cgroup-files';

export interface RemoveCgroupDeps {
  readonly files: Pick<CgroupFiles, 'removeDirectory' | 'write'>;
  readonly clock: Clock;
  /** Kills one process; does nothing when it is gone. */
  readonly kill: (pid: number) => void;
  /** Called with the processes that were still inside. */
  readonly onKilled: (pids: readonly number[]) => void;
}

// Upstream's number of rounds; the pauses give killed processes time to exit.
const rounds = 5;
const pauseMs = 10;

/**
 * Removes a cgroup and everything below it. First kills processes that outlived their container (children of a hung
 * shim), which would keep it. Rejects when some do not die. Source: kubernetes v1.36 pkg/kubelet/cm
 * pod_container_manager_linux.go tryKillingCgroupProcesses.
 */
export async function removeCgroup(
  directory: string,
  { files, clock, kill, onKilled }: RemoveCgroupDeps,
): Promise<void> {
  for (let round = 1; ; round += 1) {
    const pids = await killBelow(directory, { files, kill });
    if (pids.length > 0) onKilled(pids);
    try {
      return await removeTree(directory, files);
    } catch (error) {
      if (!isBusy(error) || round === rounds) throw error;
      await clock.sleep(pauseMs * round);
    }
  }
}

/**
 * Kills the processes in a cgroup and below it, and resolves with those that were seen there. Cgroup v2 kills all at
 * once: none forks faster than it is killed, and no PID can have become that of a process elsewhere. Upstream signals
 * each PID.
 */
export async function killBelow(
  directory: string,
  { files, kill }: { readonly files: Pick<CgroupFiles, 'write'>; readonly kill: RemoveCgroupDeps['kill'] },
): Promise<readonly number[]> {
  const pids = await pidsBelow(directory);
  if (pids.length === 0) return pids;
  const atOnce = await files.write(path.join(directory, 'cgroup.kill'), '1').then(() => true, absentIs(false));
  if (!atOnce) for (const pid of pids) kill(pid);
  return pids;
}

async function removeTree(directory: string, files: RemoveCgroupDeps['files']): Promise<void> {
  for (const child of await subdirectories(directory)) await removeTree(path.join(directory, child), files);
  await files.removeDirectory(directory);
}

/** The kernel answers EBUSY when processes are inside, or when a child was created between listing and removal. */
export function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EBUSY' || code === 'ENOTEMPTY';
}
