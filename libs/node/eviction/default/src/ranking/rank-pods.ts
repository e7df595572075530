import type { RankedPod } from '@podwright/eviction-interface';
import {
  addQuantities,
  compareQuantities,
  hasPodLevelResources,
  isCriticalPod,
  parseQuantity,
  podRequests,
  quantityFromUnits,
  quantityToBytes,
  type Pod,
  type Quantity,
} from '@podwright/kube-types';
import type { PodStats } from '@podwright/stats-interface';
import type { StarvedResource } from '../signals/signal.js';
import { diskUsage, memoryUsage, processUsage } from './pod-usage.js';
import type { RankingRule } from './ranking-rule.js';

/** Statistics of a pod by its UID. */
export type StatsOf = (podUid: string) => PodStats | undefined;

export interface RankingOptions {
  /** Feature gate: pod-level requests count. */
  readonly podLevelResources: boolean;
}

/** A pod with its position in the ranking. */
export interface PlacedPod {
  readonly pod: Pod;
  readonly numbers: RankedPod;
}

/**
 * Ranks all pods, first to be evicted first, including those that are never evicted. Pure; the order of `pods` does not
 * matter.
 * - Memory, disk, inodes: without statistics, then above request, then lower priority, then further above request.
 * - Process numbers: lower priority, then without statistics, then more processes.
 * - Ties: by namespace, name and UID, unlike upstream, which leaves them unsorted.
 *
 * Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go rankMemoryPressure, rankPIDPressure, rankDiskPressureFunc.
 */
export function rankPods(
  pods: readonly Pod[],
  statsOf: StatsOf,
  rule: RankingRule,
  options: RankingOptions,
): readonly PlacedPod[] {
  const measured = pods.map((pod) => ({ pod, numbers: measure(pod, statsOf, rule, options) }));
  const compare = rule.resource === 'pids' ? byPriority : byRequest;
  return measured.sort((a, b) => compare(a.numbers, b.numbers) || byName(a.numbers, b.numbers));
}

function byRequest(a: RankedPod, b: RankedPod): number {
  return unknownFirst(a, b) || trueFirst(a.exceedsRequest, b.exceedsRequest) || lowFirst(a, b) || excessFirst(a, b);
}

function byPriority(a: RankedPod, b: RankedPod): number {
  return lowFirst(a, b) || unknownFirst(a, b) || excessFirst(a, b);
}

const trueFirst = (a: boolean, b: boolean): number => Number(b) - Number(a);
const unknownFirst = (a: RankedPod, b: RankedPod): number => trueFirst(a.usage === undefined, b.usage === undefined);
const lowFirst = (a: RankedPod, b: RankedPod): number => a.priority - b.priority;
const excessFirst = (a: RankedPod, b: RankedPod): number => (b.excess ?? 0) - (a.excess ?? 0);
const byName = (a: RankedPod, b: RankedPod): number =>
  byText(a.namespace, b.namespace) || byText(a.name, b.name) || byText(a.uid, b.uid);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function measure(pod: Pod, statsOf: StatsOf, rule: RankingRule, options: RankingOptions): RankedPod {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const { resource } = rule;
  const stats = statsOf(uid);
  const usage = stats === undefined ? undefined : usageOf(pod, stats, rule);
  const request = podRequest(pod, resource, options);
  // Pods cannot request inodes; upstream nevertheless subtracts the request in bytes from the number of inodes.
  const offset = resource === 'inodes' ? podRequest(pod, 'ephemeral-storage', options) : request;
  return {
    namespace,
    name,
    uid,
    priority: pod.spec.priority ?? 0,
    ...(usage !== undefined && { usage, excess: usage - quantityToBytes(offset) }),
    request: quantityToBytes(request),
    exceedsRequest:
      usage !== undefined && resource !== 'pids' && compareQuantities(quantityFromUnits(usage), request) > 0,
    ...(isCriticalPod(pod) && { exempt: 'critical' as const }),
  };
}

function usageOf(pod: Pod, stats: PodStats, { resource, parts }: RankingRule): number {
  switch (resource) {
    case 'memory':
      return memoryUsage(stats);
    case 'pids':
      return processUsage(stats);
    case 'inodes':
      return diskUsage(pod, stats, parts, 'inodesUsed');
    case 'ephemeral-storage':
      return diskUsage(pod, stats, parts, 'usedBytes');
  }
}

/**
 * Pods can request neither inodes nor processes. Source: kubernetes v1.36 pkg/api/v1/resource/helpers.go
 * GetResourceRequestQuantity.
 */
function podRequest(pod: Pod, resource: StarvedResource, { podLevelResources }: RankingOptions): Quantity {
  const skipPodLevel = !(podLevelResources && hasPodLevelResources(pod));
  const request = podRequests(pod, { excludeOverhead: true, skipPodLevel })[resource] ?? quantityFromUnits(0);
  const overhead = pod.spec.overhead?.[resource];
  return overhead === undefined || request.nano === 0n ? request : addQuantities(request, parseQuantity(overhead));
}
