import { deepEqual, type Node, type Taint } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import type { ServerContext } from '../registry/server-context.js';
import type { Controller } from './controller.js';

/** Taints of a node by the status of its conditions. Source: kubernetes v1.36 pkg/controller/nodelifecycle. */
const taintsOf: readonly (readonly [condition: string, status: string, taint: string])[] = [
  ['Ready', 'False', 'node.kubernetes.io/not-ready'],
  ['Ready', 'Unknown', 'node.kubernetes.io/unreachable'],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
];
const managed = new Set([...taintsOf.map(([, , taint]) => taint), 'node.kubernetes.io/unschedulable']);

/** Sets the NoSchedule taints of a node from its conditions. Evicts no pods. */
export function nodeTaintsByCondition({ store, clock }: ServerContext): Controller {
  return ({ type, resource, key }) => {
    const object = resource === 'nodes' && type !== 'DELETED' ? store.get('nodes', key) : undefined;
    if (object === undefined) return;
    const node = object as unknown as Node;
    const wanted = taintsOf
      .filter(([condition, status]) =>
        (node.status?.conditions ?? []).some((known) => known.type === condition && known.status === status),
      )
      .map(([, , taint]) => taint);
    // A node that has not reported its status yet keeps the taint that it was created with.
    if (!(node.status?.conditions ?? []).some(({ type: condition }) => condition === 'Ready')) return;
    if (node.spec?.unschedulable === true) wanted.push('node.kubernetes.io/unschedulable');
    const taints = node.spec?.taints ?? [];
    const kept = taints.filter((taint) => !isManaged(taint) || wanted.includes(taint.key));
    const timeAdded = formatRfc3339(clock.now()) as unknown as NonNullable<Taint['timeAdded']>;
    const added = wanted
      .filter((wantedKey) => !kept.some((taint) => taint.key === wantedKey && isManaged(taint)))
      .map((wantedKey) => ({ key: wantedKey, effect: 'NoSchedule', timeAdded }));
    const next = [...kept, ...added];
    if (deepEqual(next, taints)) return;
    const { taints: _taints, ...spec } = node.spec ?? {};
    store.put('nodes', key, { ...object, spec: { ...spec, ...(next.length > 0 && { taints: next }) } });
  };
}

function isManaged({ key, effect }: Taint): boolean {
  return effect === 'NoSchedule' && managed.has(key);
}
