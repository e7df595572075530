import { isStaticPod, type Pod } from '@podwright/kube-types';
import type { Counter, Gauge, MetricsRegistry } from '@podwright/metrics';
import type { PodWorkerSync } from '@podwright/pod-workers-interface';

/** The fields of a worker that a housekeeping pass counts. */
export type CountedWorker = Pick<PodWorkerSync, 'state' | 'orphan' | 'hasConfig' | 'static'>;

const lifecycles: readonly PodWorkerSync['state'][] = ['sync', 'terminating', 'terminated'];
const statics = ['', 'true'] as const;
const configs: readonly (readonly [config: string, origin: string])[] = [
  ...statics.map((value) => ['desired', value] as const),
  ...statics.map((value) => ['orphan', value] as const),
  // The source of such a pod is unknown.
  ['runtime_only', 'unknown'],
];

/** Upstream's metrics of HandlePodCleanups: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class HousekeepingMetrics {
  private readonly desired: Gauge;
  private readonly active: Gauge;
  private readonly mirrors: Gauge;
  private readonly working: Gauge;
  private readonly restarted: Counter;
  private readonly orphaned: Counter;

  constructor(registry: MetricsRegistry) {
    this.desired = registry.gauge({
      name: 'kubelet_desired_pods',
      help: 'The number of pods the kubelet is being instructed to run. static is true if the pod is not from the apiserver.',
      labels: ['static'],
    });
    this.active = registry.gauge({
      name: 'kubelet_active_pods',
      help: 'The number of pods the kubelet considers active and which are being considered when admitting new pods. static is true if the pod is not from the apiserver.',
      labels: ['static'],
    });
    this.mirrors = registry.gauge({
      name: 'kubelet_mirror_pods',
      help: 'The number of mirror pods the kubelet will try to create (one per admitted static pod)',
    });
    this.working = registry.gauge({
      name: 'kubelet_working_pods',
      help: 'Number of pods the kubelet is actually running, broken down by lifecycle phase, whether the pod is desired, orphaned, or runtime only (also orphaned), and whether the pod is static. An orphaned pod has been removed from local configuration or force deleted in the API and consumes resources that are not otherwise visible.',
      labels: ['lifecycle', 'config', 'static'],
    });
    this.restarted = registry.counter({
      name: 'kubelet_restarted_pods_total',
      help: 'Number of pods that have been restarted because they were deleted and recreated with the same UID while the kubelet was watching them (common for static pods, extremely uncommon for API pods)',
      labels: ['static'],
    });
    this.orphaned = registry.counter({
      name: 'kubelet_orphaned_runtime_pods_total',
      help: 'Number of pods that have been detected in the container runtime without being already known to the pod worker. This typically indicates the kubelet was restarted while a pod was force deleted in the API or in the local configuration, which is unusual.',
    });
  }

  setPods(desired: readonly Pod[], active: readonly Pod[], mirrorPods: readonly Pod[]): void {
    for (const value of statics) {
      this.desired.set(countStatic(desired, value), { static: value });
      this.active.set(countStatic(active, value), { static: value });
    }
    this.mirrors.set(mirrorPods.length);
  }

  /** Counts pods that got a new worker; also called with none, to show the series. */
  addRestarted(pods: readonly Pod[]): void {
    for (const value of statics) this.restarted.increment({ static: value }, countStatic(pods, value));
  }

  /** Counts pods that only the runtime knew. */
  addOrphaned(count: number): void {
    this.orphaned.increment({}, count);
  }

  setWorking(workers: readonly CountedWorker[]): void {
    const counts = new Map<string, number>();
    for (const worker of workers) {
      const key = [worker.state, ...configOf(worker)].join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const lifecycle of lifecycles)
      for (const [config, value] of configs)
        this.working.set(counts.get([lifecycle, config, value].join()) ?? 0, { lifecycle, config, static: value });
  }
}

function configOf({ orphan, hasConfig, static: isStatic }: CountedWorker): readonly [string, string] {
  if (!hasConfig) return ['runtime_only', 'unknown'];
  return [orphan ? 'orphan' : 'desired', isStatic ? 'true' : ''];
}

function countStatic(pods: readonly Pod[], value: (typeof statics)[number]): number {
  return pods.filter((pod) => isStaticPod(pod) === (value === 'true')).length;
}
