import {
  compareQuantities,
  isExtendedResource,
  isHugePageResource,
  tryParseQuantity,
  type Node,
  type ResourceList,
} from '@podwright/kube-types';

export interface ReconcileOptions {
  /** Set extended resources to 0, because nothing is known of earlier devices. */
  readonly resetExtendedResources: boolean;
}

const attachDetachAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach';

/**
 * Labels that a restart of the kubelet updates if it has a value for them. Source: kubernetes v1.36
 * updateDefaultLabels.
 */
const defaultLabels = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/windows-build',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];

/**
 * Updates an existing Node with what this kubelet decides at its start: annotation, default labels, extended resources,
 * huge pages. Returns the same object when nothing differs. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go
 * tryRegisterWithAPIServer.
 */
export function reconcileExisting(initial: Node, existing: Node, { resetExtendedResources }: ReconcileOptions): Node {
  const steps = [
    reconcileAnnotation,
    reconcileLabels,
    reconcileResources,
    ...(resetExtendedResources ? [zeroExtendedResources] : []),
    reconcileHugePages,
  ];
  return steps.reduce((node, step) => step(initial, node), existing);
}

function reconcileAnnotation(initial: Node, existing: Node): Node {
  const wanted = initial.metadata?.annotations?.[attachDetachAnnotation];
  const { [attachDetachAnnotation]: found, ...others } = existing.metadata?.annotations ?? {};
  if ((wanted ?? '') === (found ?? '')) return existing;
  const annotations = wanted === undefined ? others : { ...others, [attachDetachAnnotation]: wanted };
  return { ...existing, metadata: { ...existing.metadata, annotations } };
}

function reconcileLabels(initial: Node, existing: Node): Node {
  const [wanted, found] = [initial.metadata?.labels ?? {}, existing.metadata?.labels ?? {}];
  const differing = defaultLabels.filter((name) => wanted[name] !== undefined && (found[name] ?? '') !== wanted[name]);
  if (differing.length === 0) return existing;
  const labels: Record<string, string> = { ...found };
  for (const name of differing) {
    const value = wanted[name] ?? '';
    if (value === '') delete labels[name];
    else labels[name] = value;
  }
  return { ...existing, metadata: { ...existing.metadata, labels } };
}

/** Sets all initial resources if the status has none. */
function reconcileResources(initial: Node, existing: Node): Node {
  const { capacity, allocatable } = existing.status ?? {};
  const { capacity: firstCapacity, allocatable: firstAllocatable } = initial.status ?? {};
  return withResources(existing, capacity ?? firstCapacity ?? {}, allocatable ?? firstAllocatable ?? {});
}

function zeroExtendedResources(_initial: Node, existing: Node): Node {
  const { capacity = {}, allocatable = {} } = existing.status ?? {};
  const zeros = Object.fromEntries(
    Object.keys(capacity)
      .filter(isExtendedResource)
      .map((name) => [name, '0']),
  );
  return withResources(existing, { ...capacity, ...zeros }, { ...allocatable, ...zeros });
}

/** Updates the page sizes that the machine has and removes those that it no longer has. */
function reconcileHugePages(initial: Node, existing: Node): Node {
  const { capacity: machineCapacity = {}, allocatable: machineAllocatable = {} } = initial.status ?? {};
  const { capacity = {}, allocatable = {} } = existing.status ?? {};
  const gone = (name: string): boolean => isHugePageResource(name) && machineCapacity[name] === undefined;
  const without = (list: ResourceList): ResourceList =>
    Object.fromEntries(Object.entries(list).filter(([name]) => capacity[name] === undefined || !gone(name)));
  const pages = (list: ResourceList): ResourceList =>
    Object.fromEntries(Object.entries(list).filter(([name]) => isHugePageResource(name)));
  return withResources(
    existing,
    { ...without(capacity), ...pages(machineCapacity) },
    { ...without(allocatable), ...pages(machineAllocatable) },
  );
}

function withResources(node: Node, capacity: ResourceList, allocatable: ResourceList): Node {
  const { capacity: oldCapacity, allocatable: oldAllocatable } = node.status ?? {};
  if (sameResources(oldCapacity, capacity) && sameResources(oldAllocatable, allocatable)) return node;
  return { ...node, status: { ...node.status, capacity, allocatable } };
}

function sameResources(before: ResourceList | undefined, after: ResourceList): boolean {
  const names = Object.keys(after);
  if (names.length !== Object.keys(before ?? {}).length) return false;
  return names.every((name) => {
    const [left, right] = [tryParseQuantity(before?.[name] ?? ''), tryParseQuantity(after[name] ?? '')];
    return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
  });
}
