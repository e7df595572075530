import type { Clock } from '@podwright/time';
import { mountReferences } from './mount-references.js';
import type { MountTools } from './mount-tools.js';

const pauseMs = 10;
const waitMs = 60_000;

/**
 * Where the file system of a pod's volume is mounted for the whole node: the mount point of the same directory that has
 * `part` in its path, such as `/plugins/kubernetes.io/iscsi/`. Undefined without one. Waits while old kernels list the
 * mounts inconsistently. Source: kubernetes v1.36 pkg/volume/util/util.go GetReliableMountRefs.
 */
export async function globalMountOf(
  mounts: Pick<MountTools, 'list'>,
  path: string,
  part: string,
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
): Promise<string | undefined> {
  const untilMs = clock.monotonic() + waitMs;
  for (;;) {
    try {
      return (await mountReferences(mounts, path)).find((mountPoint) => mountPoint.includes(part));
    } catch (error) {
      const isPassing = (error as { readonly reason?: unknown }).reason === 'inconsistent read';
      if (!isPassing || clock.monotonic() >= untilMs) throw error;
      await clock.sleep(pauseMs);
    }
  }
}
