import type { MachineInfo } from '@podwright/cgroup-stats-interface';
import type { NodeFacts, NodeResource } from '@podwright/console-interface';
import {
  addResources,
  isTerminalPhase,
  parseResources,
  podLimits,
  podRequests,
  quantityToBytes,
  quantityToMilli,
  type Node,
  type Pod,
  type ResourceAmounts,
} from '@podwright/kube-types';

export interface NodeKnowledge {
  readonly nodeName: string;
  /** Absent while nothing is known about the node. */
  readonly node?: Node;
  readonly machine: MachineInfo;
  readonly version: string;
  readonly startedMs: number;
  /** Pods with the phase that the kubelet gives them. */
  readonly pods: readonly { readonly pod: Pod; readonly phase: string }[];
}

export function nodeFacts(known: NodeKnowledge): NodeFacts {
  const { node, machine, version, startedMs, nodeName, pods } = known;
  const { nodeInfo, addresses = [] } = node?.status ?? {};
  return {
    name: node?.metadata?.name ?? nodeName,
    kubeletVersion: nodeInfo?.kubeletVersion ?? version,
    kernelVersion: nodeInfo?.kernelVersion ?? machine.kernelVersion,
    osImage: nodeInfo?.osImage ?? machine.osVersion,
    runtime: nodeInfo?.containerRuntimeVersion ?? '',
    cgroupVersion: machine.cgroupVersion,
    startedMs,
    bootTimeMs: machine.bootTimeMs,
    resources: resources(
      node,
      pods.flatMap(({ pod, phase }) => (isTerminalPhase(phase) ? [] : [pod])),
    ),
    addresses: addresses.map(({ type, address }) => ({ type, address })),
  };
}

function resources(node: Node | undefined, pods: readonly Pod[]): readonly NodeResource[] {
  const capacity = parseResources(node?.status?.capacity);
  const allocatable = parseResources(node?.status?.allocatable);
  const requested = sum(pods.map((pod) => podRequests(pod)));
  const limited = sum(pods.map((pod) => podLimits(pod)));
  return Object.keys(capacity).flatMap((name) => {
    const of = (amounts: ResourceAmounts): number =>
      name === 'cpu' ? quantityToMilli(amounts[name]) : quantityToBytes(amounts[name]);
    const isPods = name === 'pods';
    const resource = {
      ...{ name, capacity: of(capacity), allocatable: of(allocatable) },
      reserved: Math.max(0, of(capacity) - of(allocatable)),
      requested: isPods ? pods.length : of(requested),
      limited: isPods ? pods.length : of(limited),
    };
    // The kernel knows sizes of huge pages of which the node has none.
    return resource.capacity === 0 && resource.requested === 0 ? [] : [resource];
  });
}

const sum = (all: readonly ResourceAmounts[]): ResourceAmounts => all.reduce(addResources, {});
