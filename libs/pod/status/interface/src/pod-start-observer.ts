import { createToken } from '@podwright/assembly-interface';

/**
 * Measures image pulls during a pod's start, because the start duration metric excludes them. Absent without an API
 * server: the metric measures until the API server's watch shows the pod as running.
 * Source: kubernetes v1.36 pkg/kubelet/util/pod_startup_latency_tracker.go.
 */
export interface PodStartObserver {
  /** Call it when a pull attempt begins. Ignores pods that it does not measure. */
  imagePullStarted(podUid: string): void;
  /** Call it when the image is present, whoever pulled it; ends the pod's oldest open pull. */
  imagePullFinished(podUid: string): void;
}

export const POD_START_OBSERVER = createToken<PodStartObserver>('kubelet.pod-start-observer/v1');
