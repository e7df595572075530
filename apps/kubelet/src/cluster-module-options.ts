import type { KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import type { FeatureGates } from '@podwright/kubelet-configuration';
import type { NodeFacts } from './node-facts.js';

/** Options of the modules that only a kubelet with an API server has; the others are in `module-options.ts`. */
export function clusterModuleOptions(
  _configuration: KubeletConfiguration,
  _flags: KubeletFlags,
  facts: NodeFacts,
  _featureGates: FeatureGates,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { nodeName } = facts;
  return {
    '@podwright/pod-config#api': { nodeName },
  };
}
