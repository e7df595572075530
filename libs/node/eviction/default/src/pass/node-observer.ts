import { withDeadline } from '@podwright/concurrency';
import { podUid, type Pod } from '@podwright/kube-types';
import type { Summary } from '@podwright/stats-interface';
import type { DetectDiskLayout, DiskLayout } from '../disk-layout.js';
import type { StatsOf } from '../ranking/rank-pods.js';
import { hasLocalStorageLimit } from '../local-storage/exceeded-limit.js';
import { observeSignals, type Observations } from '../signals/observe-signals.js';
import { withContainerFsThresholds } from '../thresholds/container-fs-thresholds.js';
import type { Threshold } from '../thresholds/threshold.js';
import type { EvictionNeeds } from '../eviction-needs.js';

/** The state of the node at one moment. */
export interface NodeView {
  readonly layout: DiskLayout;
  /** Includes the thresholds of containerfs. */
  readonly thresholds: readonly Threshold[];
  /** Active pods with their allocated resources. */
  readonly pods: readonly Pod[];
  readonly observations: Observations;
  /** Statistics of the observed pods. */
  readonly statsOf: StatsOf;
  readonly summary: Summary;
}

/** Which pods to measure: those with limits of their own, all pods, or none. */
export type ObservedPods = 'limited' | 'all' | 'none';

type NodeObserverDeps = Pick<EvictionNeeds, 'stats' | 'activePods' | 'allocated' | 'clock'> & {
  readonly detectLayout: DetectDiskLayout;
};

// Longer than the statistics provider's own timeouts, so that its error says what did not answer.
const summaryTimeoutMs = 60_000;

/** Reads the state of the node. Detects the disk layout once. */
export class NodeObserver {
  private known: { readonly layout: DiskLayout; readonly thresholds: readonly Threshold[] } | undefined;

  constructor(
    private readonly deps: NodeObserverDeps,
    private readonly configured: readonly Threshold[],
  ) {}

  /** Detects the layout if it is unknown. Rejects when the runtime does not report it. */
  async layout(
    signal: AbortSignal,
  ): Promise<{ readonly layout: DiskLayout; readonly thresholds: readonly Threshold[] }> {
    if (this.known === undefined) {
      const layout = await this.deps.detectLayout(signal);
      this.known = { layout, thresholds: withContainerFsThresholds(this.configured, layout) };
    }
    return this.known;
  }

  /** Rejects when the node cannot be read. */
  async view(maxAgeMs: number, which: ObservedPods, signal: AbortSignal): Promise<NodeView> {
    const { activePods, allocated } = this.deps;
    const { layout, thresholds } = await this.layout(signal);
    const pods = activePods.list().map((pod) => allocated.withAllocation(pod));
    return { layout, thresholds, pods, ...(await this.read(maxAgeMs, which, pods, signal)) };
  }

  /** The same view with statistics of all its pods, which only a ranking needs. */
  async withAllPods(view: NodeView, signal: AbortSignal): Promise<NodeView> {
    const { statsOf } = await this.read(0, 'all', view.pods, signal);
    return { ...view, statsOf };
  }

  /** Reads the signals only. */
  async observe(signal: AbortSignal): Promise<Observations> {
    return (await this.read(0, 'none', [], signal)).observations;
  }

  private async read(
    maxAgeMs: number,
    which: ObservedPods,
    pods: readonly Pod[],
    signal: AbortSignal,
  ): Promise<Pick<NodeView, 'observations' | 'statsOf' | 'summary'>> {
    const { stats, clock } = this.deps;
    const observed = which === 'limited' ? pods.filter(hasLocalStorageLimit) : [];
    const options = which === 'all' ? { maxAgeMs } : { maxAgeMs, podUids: observed.map(podUid) };
    const read = (limited: AbortSignal): Promise<Summary> => stats.summary({ ...options, signal: limited });
    const summary = await withDeadline(clock, summaryTimeoutMs, read, signal);
    const byUid = new Map(summary.pods.map((pod) => [pod.podRef.uid, pod]));
    return { observations: observeSignals(summary), statsOf: (uid) => byUid.get(uid), summary };
  }
}
