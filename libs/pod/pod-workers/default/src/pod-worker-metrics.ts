import { configSeenAnnotation } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { defaultBuckets, exponentialBuckets } from '@podwright/metrics';
import type { Histogram, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import type { PodWork } from './pod-record.js';

/** Upstream's metrics of the workers: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class PodWorkerMetrics {
  private readonly duration: Histogram;
  private readonly startDuration: Histogram;
  private readonly containersPerPod: Histogram;

  constructor(
    registry: MetricsRegistry,
    private readonly clock: Clock,
  ) {
    this.duration = registry.histogram({
      name: 'kubelet_pod_worker_duration_seconds',
      help: 'Duration in seconds to sync a single pod. Broken down by operation type: create, update, or sync',
      labels: ['operation_type'],
      buckets: defaultBuckets,
    });
    this.startDuration = registry.histogram({
      name: 'kubelet_pod_worker_start_duration_seconds',
      help: 'Duration in seconds from kubelet seeing a pod to starting a worker.',
      buckets: defaultBuckets,
    });
    this.containersPerPod = registry.histogram({
      name: 'kubelet_containers_per_pod_count',
      help: 'The number of containers per pod.',
      buckets: exponentialBuckets(1, 2, 5),
    });
  }

  started(pod: Pod): void {
    this.containersPerPod.observe(pod.spec.containers.length);
  }

  /** Observes the time from the first sight of the pod, by its annotation, to its first sync. */
  firstSync(pod: Pod): void {
    const seenMs = Date.parse(pod.metadata.annotations?.[configSeenAnnotation] ?? '');
    if (!Number.isNaN(seenMs)) this.startDuration.observe(Math.max(0, this.clock.now() - seenMs) / 1000);
  }

  /** Only for updates of pods: a replay waited for nobody, and a kill comes from the kubelet itself. */
  worked({ type, receivedAtMs }: Pick<PodWork, 'type' | 'receivedAtMs'>, operation: string = type): void {
    if (receivedAtMs === undefined || type === 'kill') return;
    this.duration.observe((this.clock.monotonic() - receivedAtMs) / 1000, { operation_type: operation });
  }
}
