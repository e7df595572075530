import { CLOCK, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { isTerminalPhase, podUid, type Pod } from '@podwright/kube-types';
import type { Gauge, Histogram } from '@podwright/metrics';
import type { PodStartObserver } from '@podwright/status-interface';
import { startBuckets } from './status-metrics.js';

// Long enough for the kubelet's other parts to learn of a pod that the watch has delivered.
const unknownForMs = 60_000;
const measuredTo =
  'measured from pod creation timestamp to when all its containers are reported as started and observed via watch';
const withoutWaiting = 'excluding time to pull images and run init containers';

interface PodStart {
  readonly firstSeenMs: number;
  /** Start times of image pulls in progress, oldest first. */
  readonly openPullsMs: number[];
  readonly pullsMs: (readonly [startMs: number, endMs: number])[];
  /** Nothing left to measure: the duration is known, or no node was available at first. */
  over: boolean;
}

export const podStartNeeds = needs({ clock: pick(CLOCK, 'now'), metrics: METRICS });

/**
 * Measures the time from a pod's creation until the API server shows all its containers running. Excludes pods that
 * were started before this process, or for which no node was available at first. Source: kubernetes v1.36
 * pkg/kubelet/util/pod_startup_latency_tracker.go.
 */
export class PodStartDurations implements PodStartObserver {
  private readonly starts = new Map<string, PodStart>();
  private readonly total: Histogram;
  private readonly sli: Histogram;
  private readonly firstWithNetwork: Gauge;
  private networkSeen = false;

  constructor(private readonly deps: Needs<typeof podStartNeeds>) {
    this.sli = deps.metrics.histogram({
      name: 'kubelet_pod_start_sli_duration_seconds',
      help: `Duration in seconds to start a pod, ${withoutWaiting}, ${measuredTo}`,
      buckets: startBuckets,
    });
    this.total = deps.metrics.histogram({
      name: 'kubelet_pod_start_total_duration_seconds',
      help: `Duration in seconds to start a pod since creation, including time to pull images and run init containers, ${measuredTo}`,
      buckets: startBuckets,
    });
    this.firstWithNetwork = deps.metrics.gauge({
      name: 'kubelet_first_network_pod_start_sli_duration_seconds',
      help: `Duration in seconds to start the first network pod, ${withoutWaiting}, ${measuredTo}`,
      stability: 'INTERNAL',
    });
  }

  imagePullStarted(uid: string): void {
    this.starts.get(uid)?.openPullsMs.push(this.deps.clock.now());
  }

  imagePullFinished(uid: string): void {
    const start = this.starts.get(uid);
    const startMs = start?.openPullsMs.shift();
    if (startMs !== undefined) start?.pullsMs.push([startMs, this.deps.clock.now()]);
  }

  /** Takes the pod as the API server's watch has just delivered it. */
  observe(pod: Pod): void {
    const uid = podUid(pod);
    const phase = pod.status?.phase;
    if (isTerminalPhase(phase)) {
      this.starts.delete(uid);
      return;
    }
    const start = this.starts.get(uid) ?? this.track(uid, pod);
    if (start === undefined || start.over) return;
    if (isUnschedulable(pod)) start.over = true;
    else if (hasStarted(pod)) this.record(pod, start);
  }

  /** Forgets pods that are no longer known. */
  forgetAllBut(isKnown: (uid: string) => boolean): void {
    const oldestMs = this.deps.clock.now() - unknownForMs;
    for (const [uid, { firstSeenMs }] of this.starts) {
      if (firstSeenMs < oldestMs && !isKnown(uid)) this.starts.delete(uid);
    }
  }

  private track(uid: string, pod: Pod): PodStart | undefined {
    if (pod.status?.startTime !== undefined) return undefined;
    const start = { firstSeenMs: this.deps.clock.now(), openPullsMs: [], pullsMs: [], over: false };
    this.starts.set(uid, start);
    return start;
  }

  private record(pod: Pod, start: PodStart): void {
    start.over = true;
    const { creationTimestamp } = pod.metadata;
    if (creationTimestamp === undefined) return;
    const totalMs = this.deps.clock.now() - Date.parse(String(creationTimestamp));
    this.total.observe(totalMs / 1000);
    if (isStateful(pod)) return;
    const sliSeconds = (totalMs - unionMs(start.pullsMs) - initContainersMs(pod)) / 1000;
    this.sli.observe(sliSeconds);
    if (pod.spec.hostNetwork === true || this.networkSeen) return;
    this.networkSeen = true;
    this.firstWithNetwork.set(sliSeconds);
  }
}

function hasStarted({ status }: Pod): boolean {
  const containers = status?.containerStatuses ?? [];
  return containers.length > 0 && containers.every(({ state }) => state?.running?.startedAt !== undefined);
}

function isUnschedulable({ status }: Pod): boolean {
  return status?.conditions?.some((one) => one.type === 'PodScheduled' && one.status === 'False') === true;
}

/** Whether the pod has volumes other than ephemeral ones: their setup depends on others. */
function isStateful({ spec }: Pod): boolean {
  const ephemeral = ['secret', 'configMap', 'downwardAPI', 'emptyDir', 'projected'] as const;
  return (spec.volumes ?? []).some((volume) => ephemeral.every((kind) => volume[kind] === undefined));
}

/** Total time that the intervals cover; they are sorted by start. */
function unionMs(intervals: PodStart['pullsMs']): number {
  let sum = 0;
  let coveredUntilMs = Number.NEGATIVE_INFINITY;
  for (const [startMs, endMs] of intervals) {
    if (endMs <= coveredUntilMs) continue;
    sum += endMs - Math.max(startMs, coveredUntilMs);
    coveredUntilMs = endMs;
  }
  return sum;
}

function initContainersMs({ status }: Pod): number {
  return (status?.initContainerStatuses ?? []).reduce((sum, { state }) => {
    const { startedAt, finishedAt } = state?.terminated ?? {};
    const tookMs = Date.parse(String(finishedAt)) - Date.parse(String(startedAt));
    return tookMs > 0 ? sum + tookMs : sum;
  }, 0);
}
