import { createToken } from '@podwright/assembly-interface';
import type { Pod, ResourceList } from '@podwright/kube-types';

/**
 * Corrects what the node can allocate before a pod is measured against it: a pod that holds devices already must fit while
 * their plugin is away. A rejection refuses the pod with UnexpectedAdmissionError.
 */
export type PluginResourceAdjustment = (allocatable: ResourceList, pod: Pod) => Promise<ResourceList>;

/** Managers of plugin resources that take part in the resource check. Source: kubernetes v1.36 pkg/kubelet/cm UpdatePluginResources. */
export interface PluginResources {
  /** Returns remove. They are applied in the order in which they came. */
  add(adjustment: PluginResourceAdjustment): () => void;
  adjustments(): readonly PluginResourceAdjustment[];
}

export const PLUGIN_RESOURCES = createToken<PluginResources>('kubelet.plugin-resources/v1');
