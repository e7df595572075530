import type { NodeSource } from '@podwright/node-status-interface';

const ttlAnnotation = 'node.alpha.kubernetes.io/ttl';
const defaultTtlMs = 60_000;

/**
 * How long objects count as fresh: the value of the node's annotation (longer in larger clusters), else a minute.
 * Source: kubernetes v1.36 pkg/kubelet/util/manager/cache_based_manager.go GetObjectTTLFromNodeFunc.
 */
export function objectTtlMs(nodeSource: Pick<NodeSource, 'getNode'>): number {
  const seconds = annotationOf(nodeSource)?.match(/^[+-]?\d+$/)?.[0];
  return seconds === undefined ? defaultTtlMs : Number(seconds) * 1_000;
}

// Treat an unknown node as one without the annotation.
function annotationOf(nodeSource: Pick<NodeSource, 'getNode'>): string | undefined {
  try {
    return nodeSource.getNode().metadata?.annotations?.[ttlAnnotation];
  } catch {
    return undefined;
  }
}
