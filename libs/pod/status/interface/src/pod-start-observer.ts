import { createToken } from '@podwright/assembly-interface';

/**
 * Told of what a pod's start waits for, so that its duration can be shown without. Absent where starts are not measured: without
 * an API server, whose view of a pod is what counts. Source: kubernetes v1.36 pkg/kubelet/util/pod_startup_latency_tracker.go.
 */
export interface PodStartObserver {
  /** An attempt begins. Pods that nobody tracks are ignored. */
  imagePullStarted(podUid: string): void;
  /** The image is there, also when somebody else has pulled it; ends the oldest pull that is open. */
  imagePullFinished(podUid: string): void;
}

export const POD_START_OBSERVER = createToken<PodStartObserver>('kubelet.pod-start-observer/v1');
