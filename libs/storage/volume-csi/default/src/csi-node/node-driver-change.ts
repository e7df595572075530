import { KubeletError, messageOf } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';

/** Annotation with a JSON map of the drivers' names to their IDs of this node. */
export const nodeIdAnnotation = 'csi.volume.kubernetes.io/nodeid';

/** A strategic merge patch of a Node. */
export interface NodePatch {
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string | null>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/**
 * Adds the driver's ID of the node and its topology. Undefined: the Node has them already. Throws
 * `failed-precondition` when a label has another value. Source: kubernetes v1.36
 * pkg/volume/csi/nodeinfomanager/nodeinfomanager.go updateNodeIDInNode, updateTopologyLabels.
 */
export function addedDriver(
  node: Node,
  driver: string,
  nodeId: string,
  topology: Readonly<Record<string, string>>,
): NodePatch | undefined {
  const ids = nodeIdsOf(node);
  const addsId = ids.get(driver) !== nodeId;
  const labels = missingLabels(node, topology);
  if (!addsId && Object.keys(labels).length === 0) return undefined;
  return {
    metadata: {
      ...(addsId && { annotations: { [nodeIdAnnotation]: textOf(ids.set(driver, nodeId)) } }),
      ...(Object.keys(labels).length > 0 && { labels }),
    },
  };
}

/** Removes the driver's ID; its topology labels stay. Undefined: the Node has no such ID. */
export function removedDriver(node: Node, driver: string): NodePatch | undefined {
  const ids = nodeIdsOf(node);
  if (!ids.delete(driver)) return undefined;
  return { metadata: { annotations: { [nodeIdAnnotation]: ids.size === 0 ? null : textOf(ids) } } };
}

function nodeIdsOf(node: Node): Map<string, string> {
  const text = node.metadata?.annotations?.[nodeIdAnnotation] ?? '';
  if (text === '') return new Map();
  try {
    const ids = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    if (typeof ids !== 'object' || Array.isArray(ids)) throw new Error('it is not a JSON object');
    return new Map(Object.entries(ids ?? {}).map(([driver, id]) => [driver, String(id)]));
  } catch (error) {
    const value = JSON.stringify(text);
    const message = `failed to parse node's "${nodeIdAnnotation}" annotation value (${value}) err=${messageOf(error)}`;
    throw new KubeletError(message, { code: 'failed-precondition', cause: error });
  }
}

// Sorted, as Go writes maps.
function textOf(ids: ReadonlyMap<string, string>): string {
  return JSON.stringify(Object.fromEntries([...ids].sort(([left], [right]) => (left < right ? -1 : 1))));
}

function missingLabels(node: Node, topology: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const labels = new Map(Object.entries(node.metadata?.labels ?? {}));
  return Object.fromEntries(
    Object.entries(topology).filter(([key, value]) => {
      const existing = labels.get(key);
      if (existing === undefined || existing === value) return existing === undefined;
      const [label, reported, current] = [key, value, existing].map((part) => JSON.stringify(part));
      const both = `driver reported ${label}:${reported} but existing label is ${label}:${current}`;
      throw new KubeletError(`detected topology value collision: ${both}`, { code: 'failed-precondition' });
    }),
  );
}
