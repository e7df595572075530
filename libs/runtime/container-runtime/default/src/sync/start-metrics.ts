import type { Counter, Histogram, MetricsRegistry } from '@podwright/metrics';

/** Names and labels are upstream's: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export interface StartMetrics {
  readonly pods: Counter;
  readonly podErrors: Counter;
  /** Pods with a user namespace. */
  readonly userNamespacedPods: Counter;
  readonly userNamespacedPodErrors: Counter;
  /** Label `container_type`. */
  readonly containers: Counter;
  /** Labels `container_type` and `code`. */
  readonly containerErrors: Counter;
  /** Windows host process containers: they cannot start here, but a manifest can request them. */
  readonly hostProcessContainers: Counter;
  readonly hostProcessContainerErrors: Counter;
  /** In seconds, with label `runtime_handler`. */
  readonly runSandboxDuration: Histogram;
  /** Label `runtime_handler`. */
  readonly runSandboxErrors: Counter;
  readonly imageVolumesRequested: Counter;
  readonly imageVolumesMounted: Counter;
  readonly imageVolumeErrors: Counter;
}

export function registerStartMetrics(metrics: MetricsRegistry): StartMetrics {
  const beta = { stability: 'BETA' } as const;
  return {
    pods: metrics.counter({ name: 'kubelet_started_pods_total', help: 'Cumulative number of pods started' }),
    podErrors: metrics.counter({
      name: 'kubelet_started_pods_errors_total',
      help: 'Cumulative number of errors when starting pods',
    }),
    userNamespacedPods: metrics.counter({
      name: 'kubelet_started_user_namespaced_pods_total',
      help: 'Cumulative number of pods with user namespaces started. This metric will only be collected on Linux.',
    }),
    userNamespacedPodErrors: metrics.counter({
      name: 'kubelet_started_user_namespaced_pods_errors_total',
      help: 'Cumulative number of errors when starting pods with user namespaces. This metric will only be collected on Linux.',
    }),
    containers: metrics.counter({
      name: 'kubelet_started_containers_total',
      help: 'Cumulative number of containers started',
      labels: ['container_type'],
    }),
    containerErrors: metrics.counter({
      name: 'kubelet_started_containers_errors_total',
      help: 'Cumulative number of errors when starting containers',
      labels: ['container_type', 'code'],
    }),
    hostProcessContainers: metrics.counter({
      name: 'kubelet_started_host_process_containers_total',
      help: 'Cumulative number of hostprocess containers started. This metric will only be collected on Windows.',
      labels: ['container_type'],
    }),
    hostProcessContainerErrors: metrics.counter({
      name: 'kubelet_started_host_process_containers_errors_total',
      help: 'Cumulative number of errors when starting hostprocess containers. This metric will only be collected on Windows.',
      labels: ['container_type', 'code'],
    }),
    runSandboxDuration: metrics.histogram({
      name: 'kubelet_run_podsandbox_duration_seconds',
      help: 'Duration in seconds of the run_podsandbox operations. Broken down by RuntimeClass.Handler.',
      labels: ['runtime_handler'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    runSandboxErrors: metrics.counter({
      name: 'kubelet_run_podsandbox_errors_total',
      help: 'Cumulative number of the run_podsandbox operation errors by RuntimeClass.Handler.',
      labels: ['runtime_handler'],
    }),
    imageVolumesRequested: metrics.counter({
      name: 'kubelet_image_volume_requested_total',
      help: 'Number of requested image volumes.',
      ...beta,
    }),
    imageVolumesMounted: metrics.counter({
      name: 'kubelet_image_volume_mounted_succeed_total',
      help: 'Number of successful image volume mounts.',
      ...beta,
    }),
    imageVolumeErrors: metrics.counter({
      name: 'kubelet_image_volume_mounted_errors_total',
      help: 'Number of failed image volume mounts.',
      ...beta,
    }),
  };
}
