import { durationToMs, type KubeletConfiguration, type KubeletFlags } from '@podwright/kubelet-configuration';
import type { FeatureGates } from '@podwright/kubelet-configuration';
import { clientCertificateOptions } from './certificate-options.js';
import { clientUserAgent } from './client-user-agent.js';
import type { NodeFacts } from './node-facts.js';
import { nodeOptions } from './node-options.js';

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
  const node = nodeOptions(configuration, flags, facts, featureGates);
  const statusUpdateFrequencyMs = durationToMs(configuration.nodeStatusUpdateFrequency);
  const leaseDurationSeconds = configuration.nodeLeaseDurationSeconds;
  const heartbeatTimeoutMs = Math.min(statusUpdateFrequencyMs, leaseDurationSeconds * 1_000);
  return {
    '@podwright/node-status#api': {
      ...node,
      // As the reporter: a cloud provider says what the node's addresses are, unless the operator does.
      ...(flags.cloudProvider === 'external' && facts.givenNodeIps.length === 0 && { nodeIps: [] }),
    },
    '@podwright/node-status#reporter': {
      ...node,
      nodeIps: facts.givenNodeIps,
      registerNode: configuration.registerNode,
      getOnExistsOnly: featureGates.enabled('KubeletRegistrationGetOnExistsOnly'),
      port: configuration.port,
      statusUpdateFrequencyMs,
      statusReportFrequencyMs: durationToMs(configuration.nodeStatusReportFrequency),
      timeoutMs: heartbeatTimeoutMs,
      nodeStatusMaxImages: configuration.nodeStatusMaxImages,
      supplementalGroupsPolicy: featureGates.enabled('SupplementalGroupsPolicy'),
    },
    '@podwright/cloud-resource-sync': { nodeName, externalCloudProvider: flags.cloudProvider === 'external' },
    '@podwright/node-lease': { nodeName, leaseDurationSeconds, timeoutMs: heartbeatTimeoutMs },
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
    '@podwright/events#api': { nodeName },
    ...clientCertificateOptions(configuration, flags, nodeName),
  };
}
