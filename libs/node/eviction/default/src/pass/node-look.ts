import type { AllocatedResources } from '@podwright/allocation-interface';
import { withDeadline } from '@podwright/concurrency';
import { podUid, type Pod } from '@podwright/kube-types';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { StatsProvider, Summary } from '@podwright/stats-interface';
import type { Clock } from '@podwright/time';
import type { DetectDiskLayout, DiskLayout } from '../disk-layout.js';
import type { StatsOf } from '../ranking/rank-pods.js';
import { hasLocalStorageLimit } from '../local-storage/exceeded-limit.js';
import { observeSignals, type Observations } from '../signals/observe-signals.js';
import { withContainerFsThresholds } from '../thresholds/container-fs-thresholds.js';
import type { Threshold } from '../thresholds/threshold.js';

/** The node at one moment. */
export interface NodeView {
  readonly layout: DiskLayout;
  /** With those of containerfs. */
  readonly thresholds: readonly Threshold[];
  /** Active ones, with the resources that they were granted. */
  readonly pods: readonly Pod[];
  readonly observations: Observations;
  /** Of the pods that were looked at. */
  readonly statsOf: StatsOf;
  readonly summary: Summary;
}

/** Which pods a look is about: those that may exceed a limit of their own, all that are ranked, or the node alone. */
export type PodsLookedAt = 'limited' | 'all' | 'none';

export interface NodeLookDeps {
  readonly stats: Pick<StatsProvider, 'summary'>;
  readonly activePods: ActivePods;
  readonly allocated: Pick<AllocatedResources, 'withAllocation'>;
  readonly detectLayout: DetectDiskLayout;
  readonly clock: Clock;
}

// Longer than the provider's own limits, so that it says itself what did not answer.
const summaryTimeoutMs = 60_000;

/** Reads the node. The layout of its disks is found once. */
export class NodeLook {
  private known: { readonly layout: DiskLayout; readonly thresholds: readonly Threshold[] } | undefined;

  constructor(
    private readonly deps: NodeLookDeps,
    private readonly configured: readonly Threshold[],
  ) {}

  /** Finds the layout if it is not known yet. Rejects when the runtime does not tell. */
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
  async view(maxAgeMs: number, which: PodsLookedAt, signal: AbortSignal): Promise<NodeView> {
    const { activePods, allocated } = this.deps;
    const { layout, thresholds } = await this.layout(signal);
    const pods = activePods.list().map((pod) => allocated.withAllocation(pod));
    return { layout, thresholds, pods, ...(await this.read(maxAgeMs, which, pods, signal)) };
  }

  /** The same view, with statistics of all its pods: what a ranking needs and a quiet node does not pay for. */
  async withAllPods(view: NodeView, signal: AbortSignal): Promise<NodeView> {
    const { statsOf } = await this.read(0, 'all', view.pods, signal);
    return { ...view, statsOf };
  }

  /** The signals alone. */
  async observe(signal: AbortSignal): Promise<Observations> {
    return (await this.read(0, 'none', [], signal)).observations;
  }

  private async read(
    maxAgeMs: number,
    which: PodsLookedAt,
    pods: readonly Pod[],
    signal: AbortSignal,
  ): Promise<Pick<NodeView, 'observations' | 'statsOf' | 'summary'>> {
    const { stats, clock } = this.deps;
    const looked = which === 'limited' ? pods.filter(hasLocalStorageLimit) : [];
    const options = which === 'all' ? { maxAgeMs } : { maxAgeMs, podUids: looked.map(podUid) };
    const read = (limited: AbortSignal): Promise<Summary> => stats.summary({ ...options, signal: limited });
    const summary = await withDeadline(clock, summaryTimeoutMs, read, signal);
    const byUid = new Map(summary.pods.map((pod) => [pod.podRef.uid, pod]));
    return { observations: observeSignals(summary), statsOf: (uid) => byUid.get(uid), summary };
  }
}
