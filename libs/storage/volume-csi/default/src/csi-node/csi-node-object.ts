import { deepEqual, type CsiNode, type Node } from '@podwright/kube-types';

const migratedAnnotation = 'storage.alpha.kubernetes.io/migrated-plugins';

/** The former in-tree plugins whose volumes go to CSI drivers; the controllers read it. Sorted. */
const migratedPlugins: readonly string[] = [
  'kubernetes.io/aws-ebs',
  'kubernetes.io/azure-disk',
  'kubernetes.io/azure-file',
  'kubernetes.io/cinder',
  'kubernetes.io/gce-pd',
  'kubernetes.io/portworx-volume',
  'kubernetes.io/vsphere-volume',
];

type Drivers = CsiNode['spec']['drivers'];

/** What CSINode shows of a driver. */
export interface DriverEntry {
  readonly name: string;
  readonly nodeId: string;
  readonly topologyKeys: readonly string[];
  /** How many volumes the node can attach; undefined: no limit is known. */
  readonly count: number | undefined;
}

/** A CSINode without drivers, which is deleted with its Node. */
export function newCsiNode({ metadata }: Node): CsiNode {
  const { name = '', uid = '' } = metadata ?? {};
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
      annotations: { [migratedAnnotation]: migratedPlugins.join(',') },
    },
    spec: { drivers: [] },
  };
}

/**
 * The UID of the Node that owns the CSINode, when it is another one: the Node was deleted and created again. Undefined
 * when this Node owns it. Source: kubernetes v1.36 nodeinfomanager.go nodeOwnsCSINode.
 */
export function foreignOwner({ metadata }: CsiNode, node: Node): string | undefined {
  const owners = (metadata?.ownerReferences ?? []).filter(({ kind }) => kind === 'Node');
  const { name, uid } = node.metadata ?? {};
  return owners.some((owner) => owner.name === name && owner.uid === uid) ? undefined : (owners.at(-1)?.uid ?? '');
}

/** Undefined when the CSINode names all migrated plugins already. */
export function withMigratedPlugins(csiNode: CsiNode): CsiNode | undefined {
  const shown = (csiNode.metadata?.annotations?.[migratedAnnotation] ?? '').split(',');
  if (deepEqual([...new Set(shown)].sort(), migratedPlugins)) return undefined;
  const annotations = { ...csiNode.metadata?.annotations, [migratedAnnotation]: migratedPlugins.join(',') };
  return { ...csiNode, metadata: { ...csiNode.metadata, annotations } };
}

/** True when the CSINode belongs to the Node and names all migrated plugins. */
export function isInitialized(csiNode: CsiNode, node: Node): boolean {
  return foreignOwner(csiNode, node) === undefined && withMigratedPlugins(csiNode) === undefined;
}

/** Undefined when nothing differs. An entry that changes moves to the end, as upstream. */
export function withDriver(csiNode: CsiNode, entry: DriverEntry): CsiNode | undefined {
  const drivers = driversOf(csiNode);
  const annotated = withMigratedPlugins(csiNode);
  const existing = drivers.find(({ name }) => name === entry.name);
  if (annotated === undefined && existing !== undefined && shows(existing, entry)) return undefined;
  const { name, nodeId, topologyKeys, count } = entry;
  const next = {
    name,
    nodeID: nodeId,
    topologyKeys: [...topologyKeys].sort(),
    ...(count !== undefined && { allocatable: { count } }),
  };
  return { ...(annotated ?? csiNode), spec: { drivers: [...others(drivers, name), next] } };
}

/** Undefined when there is no such driver. */
export function withoutDriver(csiNode: CsiNode, driver: string): CsiNode | undefined {
  const drivers = others(driversOf(csiNode), driver);
  return drivers.length === driversOf(csiNode).length ? undefined : { ...csiNode, spec: { drivers } };
}

function shows(driver: Drivers[number], { nodeId, topologyKeys, count }: DriverEntry): boolean {
  return (
    driver.nodeID === nodeId &&
    deepEqual([...new Set(driver.topologyKeys ?? [])].sort(), [...topologyKeys].sort()) &&
    driver.allocatable?.count === count
  );
}

function others(drivers: Drivers, driver: string): Drivers {
  return drivers.filter(({ name }) => name !== driver);
}

// A real API server answers null for a list without entries.
function driversOf({ spec }: CsiNode): Drivers {
  return (spec.drivers as Drivers | null) ?? [];
}
