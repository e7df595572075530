import { createManyToken } from '@podwright/assembly-interface';
import type { Pod, ResourceList } from '@podwright/kube-types';

/**
 * Adjusts the node's allocatable resources before admission compares the pod with them: a pod that already holds
 * devices must still fit while their plugin is away. When the promise rejects, the pod is rejected with
 * UnexpectedAdmissionError.
 * Source: kubernetes v1.36 pkg/kubelet/cm UpdatePluginResources.
 */
export type PluginResourceAdjustment = (allocatable: ResourceList, pod: Pod) => Promise<ResourceList>;

/** Managers of plugin resources contribute their adjustments. They run in the order in which their modules start. */
export const PLUGIN_RESOURCE_ADJUSTMENTS = createManyToken<PluginResourceAdjustment>(
  'kubelet.plugin-resource-adjustments/v1',
);
