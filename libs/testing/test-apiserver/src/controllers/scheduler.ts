import type { ApiObject } from '@podwright/api-machinery';
import { objectKey, type Node, type Pod, type Taint, type Toleration } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import type { ServerContext } from '../registry/server-context.js';
import { asPod, nodesOfPod } from '../strategies/pod-strategy.js';
import { bindPod } from '../subresources/bind-pod.js';
import { withCondition } from '../subresources/pod-conditions.js';
import type { Controller } from './controller.js';
import { claimNamesOf } from './volumes/pod-claims.js';

/**
 * Binds each pod without a node to the node with the fewest pods whose taints and labels allow it. Ignores resources,
 * affinity and preemption. With `waitForClaims` a pod waits until its claims are bound. A pod that fits nowhere gets upstream's condition; the scheduler retries it when a pod or
 * node changes.
 */
export function scheduler(context: ServerContext, { waitForClaims = false } = {}): Controller {
  const { store, clock } = context;
  const podsByNode = store.index(nodesOfPod, 'pods');
  const causes = ['pods', 'nodes', ...(waitForClaims ? ['persistentvolumeclaims'] : [])];
  return ({ type, resource }) => {
    if (type === 'DELETED' || !causes.includes(resource)) return;
    for (const { object } of podsByNode.find('')) if (isWaiting(asPod(object))) schedule(object);
  };

  function schedule(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const claimFault = waitForClaims ? faultOfClaims(asPod(object)) : undefined;
    if (claimFault !== undefined) return markUnschedulable(object, claimFault);
    const nodes = [...store.values('nodes')] as unknown as readonly Node[];
    const faults = nodes.map((node) => nodeFault(asPod(object), node));
    const fitting = nodes.filter((_node, index) => faults[index] === undefined);
    const [best] = fitting
      .map((node) => ({ node: node.metadata?.name ?? '', pods: podsByNode.count(node.metadata?.name ?? '') }))
      .sort((left, right) => left.pods - right.pods);
    if (best !== undefined) {
      bindPod(context, { namespace, name, binding: { metadata: { name }, target: { kind: 'Node', name: best.node } } });
    } else markUnschedulable(object, unschedulableMessage(nodes.length, faults));
  }

  /** Source: kubernetes v1.36 pkg/scheduler/framework/plugins/volumebinding/volume_binding.go. */
  function faultOfClaims(pod: Pod): string | undefined {
    for (const name of claimNamesOf(pod)) {
      const claim = store.get('persistentvolumeclaims', objectKey(pod.metadata.namespace, name));
      if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
      const phase = (claim.status as { readonly phase?: string } | undefined)?.phase;
      if (phase !== 'Bound') return 'pod has unbound immediate PersistentVolumeClaims';
    }
    return undefined;
  }

  function markUnschedulable(object: ApiObject, message: string): void {
    const { status } = asPod(object);
    const known = status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.message === message) return;
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    store.put('pods', objectKey(object.metadata.namespace, object.metadata.name ?? ''), {
      ...object,
      status: withCondition(status, condition, formatRfc3339(clock.now())),
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

/** Why the pod cannot run on the node, in the scheduler's words; undefined when it can. */
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
