import type { PodLifecycle } from '@podwright/pod-workers-interface';

/**
 * Whether the remains of a pod's containers may be removed. For an evicted pod that is later than upstream: until the
 * pod has terminated, its worker reads from them how the containers ended, and without them it could only report
 * `ContainerStatusUnknown`.
 */
export const isContentRemovable = (lifecycle: PodLifecycle, podUid: string): boolean =>
  lifecycle.shouldContentBeRemoved(podUid) && lifecycle.shouldRuntimeBeRemoved(podUid);
