import type { PodLifecycle } from '@podwright/pod-workers-interface';

/**
 * Whether nobody needs what is left of a pod's containers. Later than upstream for an evicted pod: until it has terminated its
 * worker reads from them how they ended, and without them it could only say `ContainerStatusUnknown`.
 */
export const isContentSpare = (lifecycle: PodLifecycle, podUid: string): boolean =>
  lifecycle.shouldContentBeRemoved(podUid) && lifecycle.shouldRuntimeBeRemoved(podUid);
