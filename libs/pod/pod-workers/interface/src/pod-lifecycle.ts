import { createToken } from '@podwright/assembly-interface';

export type PodWorkState = 'sync' | 'terminating' | 'terminated';

/**
 * The lifecycle state of pods, as their workers record it. A manager that must know whether a pod may run asks here and
 * nowhere else. An unknown UID has no worker record; most methods answer for it as for a removed pod once
 * `PodWorkers.syncKnownPods` has run. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go.
 */
export interface PodLifecycle {
  /** True until the pod has terminated. Unknown UIDs: true before the first syncKnownPods. */
  couldHaveRunningContainers(podUid: string): boolean;
  /** True once the pod is to terminate, even before its worker has begun. Unknown UIDs: false. */
  isTerminationRequested(podUid: string): boolean;
  /**
   * True once the worker terminates the pod: no new container may start. Unknown UIDs: true after the first
   * syncKnownPods.
   */
  shouldContainersBeTerminating(podUid: string): boolean;
  /**
   * True when all containers have ended: sandboxes may be removed. Unknown UIDs: true after the first syncKnownPods.
   */
  shouldRuntimeBeRemoved(podUid: string): boolean;
  /**
   * True when the pod is evicted, or deleted and terminated: its logs and dead containers may be removed. Unknown UIDs:
   * true after the first syncKnownPods.
   */
  shouldContentBeRemoved(podUid: string): boolean;
  /** True when all containers have ended. Unknown UIDs: false. */
  isKnownTerminated(podUid: string): boolean;
  /** True when `PodSyncer.syncTerminatedPod` has succeeded. Unknown UIDs: false. */
  isFinished(podUid: string): boolean;
}

export const POD_LIFECYCLE = createToken<PodLifecycle>('kubelet.pod-lifecycle/v1');
