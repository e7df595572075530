import type { RuntimeContainerState, RuntimePod } from '@podwright/container-runtime-interface';
import { defaultBuckets } from '@podwright/metrics';
import type { Counter, Gauge, Histogram, Labels, MetricsRegistry } from '@podwright/metrics';

const states: readonly RuntimeContainerState[] = ['created', 'running', 'exited', 'unknown'];
const labels: Readonly<Record<RuntimeContainerState, Labels>> = {
  created: { container_state: 'created' },
  running: { container_state: 'running' },
  exited: { container_state: 'exited' },
  unknown: { container_state: 'unknown' },
};

type Counts = Record<RuntimeContainerState, number> & { pods: number };

/** Upstream's metrics of relists. A gauge is set only when its value changes, which most relists do not cause. */
export class RelistMetrics {
  readonly relistDuration: Histogram;
  readonly relistInterval: Histogram;
  readonly podRelistDuration: Histogram;
  readonly discardedEvents: Counter;
  private readonly runningPods: Gauge;
  private readonly runningContainers: Gauge;
  // Two objects used in turn, so that a relist allocates none.
  private shown: Counts = emptyCounts();
  private counting: Counts = emptyCounts();

  constructor(metrics: MetricsRegistry) {
    const histogram = (name: string, help: string): Histogram =>
      metrics.histogram({ name: `kubelet_${name}`, help, buckets: defaultBuckets });
    this.relistDuration = histogram('pleg_relist_duration_seconds', 'Duration in seconds for relisting pods in PLEG.');
    this.relistInterval = histogram('pleg_relist_interval_seconds', 'Interval in seconds between relisting in PLEG.');
    this.podRelistDuration = histogram(
      'pleg_pod_relist_duration_seconds',
      'Duration in seconds for relisting a single pod in PLEG.',
    );
    this.discardedEvents = metrics.counter({
      name: 'kubelet_pleg_discard_events',
      help: 'The number of discard events in PLEG.',
    });
    this.runningPods = metrics.gauge({
      name: 'kubelet_running_pods',
      help: 'Number of pods that have a running pod sandbox',
    });
    this.runningContainers = metrics.gauge({
      name: 'kubelet_running_containers',
      help: 'Number of containers currently running',
      labels: ['container_state'],
    });
  }

  count(pods: readonly RuntimePod[]): void {
    const counts = this.counting;
    counts.pods = counts.created = counts.running = counts.exited = counts.unknown = 0;
    for (const pod of pods) {
      for (const container of pod.containers) counts[container.state]++;
      for (const sandbox of pod.sandboxes) {
        if (!sandbox.ready) continue;
        counts.pods++;
        break;
      }
    }
    if (counts.pods !== this.shown.pods) this.runningPods.set(counts.pods);
    for (const state of states) {
      if (counts[state] !== this.shown[state]) this.runningContainers.set(counts[state], labels[state]);
    }
    this.counting = this.shown;
    this.shown = counts;
  }
}

function emptyCounts(): Counts {
  return { pods: 0, created: 0, running: 0, exited: 0, unknown: 0 };
}
