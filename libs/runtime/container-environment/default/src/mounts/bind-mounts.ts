import { createMountTools, readMountTable, requireAnswer } from '@podwright/filesystem';
import type { Clock } from '@podwright/time';

/** The mount operations that a sub path needs. */
export interface BindMounts {
  /** Rejects when the volume is on a network file system that does not answer, which would block later calls for ever. */
  requireAnswer(volumePath: string): Promise<void>;
  isMounted(target: string): Promise<boolean>;
  bind(source: string, target: string): Promise<void>;
  unmount(target: string): Promise<void>;
}

// A mount takes no time; a network volume that does not answer must not block the start of a container forever.
const timeoutMs = 60_000;
const answerTimeoutMs = 10_000;

/** Bind mounts on this machine, through mount(8) and umount(8). */
export function hostBindMounts(clock: Pick<Clock, 'deadline'>): BindMounts {
  const tools = createMountTools();
  return {
    requireAnswer: async (volumePath) => {
      const { signal, dispose } = clock.deadline(answerTimeoutMs);
      await requireAnswer(volumePath, signal).finally(dispose);
    },
    isMounted: async (target) => (await readMountTable()).some(({ mountPoint }) => mountPoint === target),
    bind: async (source, target) => {
      const { signal, dispose } = clock.deadline(timeoutMs);
      await tools.mount({ source, target, options: ['bind'], canonicalize: false, signal }).finally(dispose);
    },
    unmount: async (target) => {
      const { signal, dispose } = clock.deadline(timeoutMs);
      await tools.unmount(target, signal).finally(dispose);
    },
  };
}
