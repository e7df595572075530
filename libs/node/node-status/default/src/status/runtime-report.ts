import type { RuntimeFeatures, RuntimeHandler } from '@podwright/cri-client-interface';
import type { NodeStatus } from '@podwright/kube-types';

/**
 * Sorted by name; a feature that a handler does not report counts as missing. Source: kubernetes v1.36
 * pkg/kubelet/nodestatus/setters.go.
 */
export function nodeRuntimeHandlers(handlers: readonly RuntimeHandler[]): NonNullable<NodeStatus['runtimeHandlers']> {
  return [...handlers]
    .sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
    .map(({ name, features }) => ({
      name,
      features: {
        recursiveReadOnlyMounts: features?.recursiveReadOnlyMounts ?? false,
        userNamespaces: features?.userNamespaces ?? false,
      },
    }));
}

/** The runtime's features in the Node status. Source: as {@link nodeRuntimeHandlers}, NodeFeatures. */
export function nodeFeatures(features: RuntimeFeatures): NonNullable<NodeStatus['features']> {
  return { supplementalGroupsPolicy: features.supplementalGroupsPolicy };
}
