import { createToken } from '@podwright/assembly-interface';

export type PodWorkState = 'sync' | 'terminating' | 'terminated';

/**
 * Read side of the workers' truth; every manager that must know whether a pod may run asks here and nowhere else.
 * "Unknown" UIDs have no worker record. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go.
 */
export interface PodLifecycle {
  /** True until the pod has terminated; for unknown UIDs true before the first syncKnownPods. */
  couldHaveRunningContainers(podUid: string): boolean;
  /** False for unknown UIDs. */
  isTerminationRequested(podUid: string): boolean;
  /** Termination was observed by the worker: new containers must not be set up. Unknown: after the first syncKnownPods. */
  shouldContainersBeTerminating(podUid: string): boolean;
  /** Containers have ended, runtime resources may go. Unknown: after the first syncKnownPods. */
  shouldRuntimeBeRemoved(podUid: string): boolean;
  /** Evicted, or deleted and terminated: logs and dead containers may go. Unknown: after the first syncKnownPods. */
  shouldContentBeRemoved(podUid: string): boolean;
  /** False for unknown UIDs. */
  isKnownTerminated(podUid: string): boolean;
  /** SyncTerminatedPod has ended. False for unknown UIDs. */
  isFinished(podUid: string): boolean;
}

export const POD_LIFECYCLE = createToken<PodLifecycle>('kubelet.pod-lifecycle/v1');
