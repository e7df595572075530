import { durationToMs, type KubeletConfiguration, type KubeletFlags } from '@podwright/kubelet-configuration';
import type { FeatureGates } from '@podwright/kubelet-configuration';
import { clientUserAgent } from './client-user-agent.js';
import type { NodeFacts } from './node-facts.js';

/** Options of the modules that only a kubelet with an API server has; the others are in `module-options.ts`. */
export function clusterModuleOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  facts: NodeFacts,
  featureGates: FeatureGates,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { nodeName } = facts;
  const referencedObjects = {
    strategy: configuration.configMapAndSecretChangeDetectionStrategy,
    syncFrequencyMs: durationToMs(configuration.syncFrequency),
  };
  return {
    '@podwright/referenced-objects#secrets': referencedObjects,
    '@podwright/referenced-objects#configmaps': referencedObjects,
    '@podwright/cluster-trust-bundle#api': {
      enabled: featureGates.enabled('ClusterTrustBundleProjection'),
      cacheEntries: 2 * configuration.maxPods,
    },
    '@podwright/kube-client#transport': {
      kubeconfig: flags.kubeconfig,
      // Bootstrap writes it once the node has joined.
      awaitKubeconfig: flags.bootstrapKubeconfig !== '',
    },
    '@podwright/kube-client#factory': { userAgent: clientUserAgent() },
    '@podwright/kube-client': {
      qps: configuration.kubeAPIQPS,
      burst: configuration.kubeAPIBurst,
      eventQps: configuration.eventRecordQPS,
      eventBurst: configuration.eventBurst,
      userAgent: clientUserAgent(),
    },
    '@podwright/pod-config#api': { nodeName },
  };
}
