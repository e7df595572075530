import {
  compareQuantities,
  formatQuantity,
  hasPodLevelResources,
  parseQuantity,
  quantityFromUnits,
  type Pod,
  type Quantity,
} from '@podwright/kube-types';
import type { ContainerStats, PodStats } from '@podwright/stats-interface';
import type { Observation } from './signals/observe-signals.js';
import type { StarvedResource } from './signals/signal.js';

export interface EvictionText {
  readonly message: string;
  /** Annotations of the event; empty when the pod's usage is unknown. */
  readonly annotations: Readonly<Record<string, string>>;
}

export interface MetThreshold {
  readonly quantity: Quantity;
  readonly observed: Observation;
}

/**
 * Why a pod is evicted, in upstream's words including the trailing space. Source: kubernetes v1.36
 * pkg/kubelet/eviction/helpers.go evictionMessage.
 */
export function evictionText(
  resource: StarvedResource,
  pod: Pod,
  stats: PodStats | undefined,
  { quantity, observed }: MetThreshold,
  podLevelResources: boolean,
): EvictionText {
  const low = `The node was low on resource: ${resource}. `;
  const threshold = `Threshold quantity: ${formatQuantity(quantity)}, available: ${formatQuantity(observed.available)}. `;
  if (stats === undefined) return { message: low + threshold, annotations: {} };
  const ofPod = podLevelResources ? podExcess(resource, pod, stats) : undefined;
  const containers = containerExcesses(resource, pod, stats);
  const sentence = ({ what, usage, request }: Excess): string =>
    `${what} was using ${usage}, request is ${request}, has larger consumption of ${resource}. `;
  return {
    message: [low, threshold, ...(ofPod === undefined ? [] : [ofPod]).map(sentence), ...containers.map(sentence)].join(
      '',
    ),
    annotations: {
      ...(ofPod !== undefined && { offending_pod: ofPod.name, offending_pod_usage: ofPod.usage }),
      offending_containers: containers.map(({ name }) => name).join(','),
      offending_containers_usage: containers.map(({ usage }) => usage).join(','),
      starved_resource: resource,
    },
  };
}

interface Excess {
  readonly what: string;
  readonly name: string;
  readonly usage: string;
  readonly request: string;
}

// As upstream, shown whether or not the usage exceeds the request.
function podExcess(resource: StarvedResource, pod: Pod, { memory }: PodStats): Excess | undefined {
  const request = pod.spec.resources?.requests?.[resource];
  if (resource !== 'memory' || !hasPodLevelResources(pod) || request === undefined || memory === undefined) {
    return undefined;
  }
  const { name = '' } = pod.metadata;
  const usage = bytes(memory.workingSetBytes ?? 0);
  return { what: `Pod ${name}`, name, usage: formatQuantity(usage), request: formatQuantity(parseQuantity(request)) };
}

function containerExcesses(resource: StarvedResource, pod: Pod, stats: PodStats): readonly Excess[] {
  // Ephemeral containers have no requests, so they cannot exceed them.
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  return stats.containers.flatMap((used) => {
    const container = containers.find(({ name }) => name === used.name);
    const usedBytes = usageOf(resource, used);
    if (container === undefined || usedBytes === undefined) return [];
    const [usage, request] = [bytes(usedBytes), parseQuantity(container.resources?.requests?.[resource] ?? '0')];
    if (compareQuantities(usage, request) <= 0) return [];
    const { name } = container;
    return [{ what: `Container ${name}`, name, usage: formatQuantity(usage), request: formatQuantity(request) }];
  });
}

function usageOf(resource: StarvedResource, { memory, rootfs, logs }: ContainerStats): number | undefined {
  if (resource === 'memory') return memory?.workingSetBytes;
  if (resource !== 'ephemeral-storage' || rootfs?.usedBytes === undefined || logs?.usedBytes === undefined) {
    return undefined;
  }
  return rootfs.usedBytes + logs.usedBytes;
}

const bytes = (count: number): Quantity => quantityFromUnits(count, 'BinarySI');
