import type { Node, Pod, Taint, Toleration } from '@podwright/kube-types';
import { timestamp, type ApiObject } from '../api-object.js';
import { objectKey } from '../registry/object-key.js';
import type { ServerContext } from '../registry/server-context.js';
import { asPod } from '../strategies/pod-strategy.js';
import { bindPod } from '../subresources/bind-pod.js';
import { withCondition } from '../subresources/pod-conditions.js';
import type { Controller } from './controller.js';

/**
 * Binds pods without a node to the ready node with the fewest pods whose taints and labels allow it. No resources, affinity
 * or preemption: enough to see pods run. Pods that fit nowhere get upstream's condition and are tried again when a node changes.
 */
export function scheduler(context: ServerContext): Controller {
  const { store, clock } = context;
  return ({ type, resource }) => {
    if (type === 'DELETED' || (resource !== 'pods' && resource !== 'nodes')) return;
    for (const object of [...store.values('pods')]) if (isWaiting(asPod(object))) schedule(object);
  };

  function schedule(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const nodes = [...store.values('nodes')] as unknown as readonly Node[];
    const faults = nodes.map((node) => nodeFault(asPod(object), node));
    const fitting = nodes.filter((_node, index) => faults[index] === undefined);
    const [best] = fitting
      .map((node) => ({ node: node.metadata?.name ?? '', pods: podsOn(node.metadata?.name ?? '') }))
      .sort((left, right) => left.pods - right.pods);
    if (best !== undefined) {
      bindPod(context, { namespace, name, binding: { metadata: { name }, target: { kind: 'Node', name: best.node } } });
    } else markUnschedulable(object, unschedulableMessage(nodes.length, faults));
  }

  function podsOn(node: string): number {
    return [...store.values('pods')].filter((pod) => asPod(pod).spec.nodeName === node).length;
  }

  function markUnschedulable(object: ApiObject, message: string): void {
    const { status } = asPod(object);
    const known = status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.message === message) return;
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    store.put('pods', objectKey(object.metadata.namespace, object.metadata.name ?? ''), {
      ...object,
      status: withCondition(status, condition, timestamp(clock.now())),
    });
  }
}

function isWaiting({ spec, metadata }: Pod): boolean {
  return (
    !spec.nodeName &&
    metadata.deletionTimestamp === undefined &&
    (spec.schedulingGates ?? []).length === 0 &&
    (spec.schedulerName ?? 'default-scheduler') === 'default-scheduler'
  );
}

/** Why the pod cannot be on the node, in the scheduler's words. */
function nodeFault({ spec }: Pod, { metadata, spec: nodeSpec }: Node): string | undefined {
  const taints = nodeSpec?.taints ?? [];
  const unschedulable: readonly Taint[] =
    nodeSpec?.unschedulable === true ? [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] : [];
  if (unschedulable.some((taint) => !tolerated(taint, spec.tolerations))) return 'node(s) were unschedulable';
  const hit = taints.find((taint) => taint.effect !== 'PreferNoSchedule' && !tolerated(taint, spec.tolerations));
  if (hit !== undefined) return `node(s) had untolerated taint {${hit.key}: ${hit.value ?? ''}}`;
  const labels = metadata?.labels ?? {};
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  return selected ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

function tolerated({ key, value, effect }: Taint, tolerations: readonly Toleration[] = []): boolean {
  return tolerations.some(
    (toleration) =>
      (!toleration.effect || toleration.effect === effect) &&
      (!toleration.key || toleration.key === key) &&
      (toleration.operator === 'Exists' || (toleration.value ?? '') === (value ?? '')),
  );
}

function unschedulableMessage(count: number, faults: readonly (string | undefined)[]): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const counts = new Map<string, number>();
  for (const fault of faults) if (fault !== undefined) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  const reasons = [...counts].map(([fault, times]) => `${times} ${fault}`).sort();
  return `0/${count} nodes are available: ${reasons.join(', ')}.`;
}
