import { createStrategicMergePatch, patchSchemaOf } from '@podwright/strategic-merge-patch';
import { deepEqual, type Node, type NodeCondition, type NodeStatus } from '@podwright/kube-types';

/**
 * Whether the statuses differ apart from their heartbeat times. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_node_status.go nodeStatusHasChanged.
 */
export function statusChanged(before: NodeStatus | undefined, after: NodeStatus | undefined): boolean {
  const [left, right] = [sortedConditions(before), sortedConditions(after)];
  return (
    !deepEqual({ ...before, conditions: undefined }, { ...after, conditions: undefined }) || !deepEqual(left, right)
  );
}

function sortedConditions(status: NodeStatus | undefined): readonly unknown[] {
  const byType = (left: NodeCondition, right: NodeCondition): number =>
    left.type < right.type ? -1 : left.type > right.type ? 1 : 0;
  return [...(status?.conditions ?? [])]
    .sort(byType)
    .map((condition) => ({ ...condition, lastHeartbeatTime: undefined }));
}

/**
 * The strategic merge patch between two Nodes, limited to metadata and status. Replaces addresses as a whole, because
 * their merge key is not unique. Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/node/util/status.go
 * PatchNodeStatus.
 */
export function nodeStatusPatch(before: Node, after: Node): Readonly<Record<string, unknown>> {
  const old = before.status?.addresses ?? [];
  const next = after.status?.addresses ?? [];
  const replaceAddresses = old.length > 0 && !deepEqual(old, next);
  const { spec: _ignored, ...others } = after;
  const target: Node = {
    ...others,
    ...(before.spec && { spec: before.spec }),
    ...(replaceAddresses && { status: { ...after.status, addresses: old } }),
  };
  const patch = createStrategicMergePatch(withoutEmpty(before), withoutEmpty(target), patchSchemaOf('Node'));
  if (!replaceAddresses) return patch;
  const status = patch['status'] as Readonly<Record<string, unknown>> | undefined;
  return { ...patch, status: { ...status, addresses: [...next, { $patch: 'replace' }] } };
}

// Drops empty lists and maps of status and metadata, as Go's omitempty does.
function withoutEmpty(node: Node): object {
  return { ...node, metadata: present(node.metadata), status: present(node.status) };
}

function present<T extends object>(fields: T | undefined): T | undefined {
  if (fields === undefined) return undefined;
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== null && !(typeof value === 'object' && Object.keys(value as object).length === 0),
  );
  return Object.fromEntries(kept) as T;
}
