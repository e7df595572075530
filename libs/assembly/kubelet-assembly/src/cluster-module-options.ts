import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { watchedCloudResourcesModule } from '@podwright/cloud-resource-sync';
import { apiClusterTrustBundleModule } from '@podwright/cluster-trust-bundle';
import { apiEventRecorderModule } from '@podwright/events';
import { kubeClientModule, kubeconfigClientsModule } from '@podwright/kube-client';
import { kubeTransportModule, kubeTransportsModule } from '@podwright/kube-transport';
import { renewingNodeLeaseModule } from '@podwright/node-lease';
import { apiNodeModule, nodeStatusReporterModule } from '@podwright/node-status';
import { offlineObjectsModule } from '@podwright/offline-objects';
import { apiPodCertificateModule } from '@podwright/pod-certificate';
import { apiPodsModule } from '@podwright/pod-config';
import { apiStatusModule } from '@podwright/status';
import { apiConfigMapsModule, apiSecretsModule } from '@podwright/referenced-objects';
import { parseGoDuration } from '@podwright/time';
import { csiVolumesModule, nodeDriversModule } from '@podwright/volume-csi';
import path from 'node:path';
import { clientUserAgent } from './client-user-agent.js';
import { nodeOptions } from './node-options.js';
import type { NodeSettings } from './node-settings.js';

/** Options of the modules that only a kubelet with an API server has; the others are in `module-options.ts`. */
export function clusterModuleOptions(settings: NodeSettings): readonly ConfiguredModule[] {
  const { configuration, flags, facts } = settings;
  const { nodeName } = facts;
  const referencedObjects = {
    strategy: configuration.configMapAndSecretChangeDetectionStrategy,
    syncFrequencyMs: parseGoDuration(configuration.syncFrequency),
  };
  const clientContent = { userAgent: clientUserAgent(), contentType: configuration.contentType };
  const node = nodeOptions(settings);
  const externalCloudProvider = flags.cloudProvider === 'external';
  const statusUpdateFrequencyMs = parseGoDuration(configuration.nodeStatusUpdateFrequency);
  const leaseDurationSeconds = configuration.nodeLeaseDurationSeconds;
  const timeoutMs = Math.min(statusUpdateFrequencyMs, leaseDurationSeconds * 1_000);
  return [
    // Only an assembly file adds this module.
    configure(offlineObjectsModule, { rootDir: path.resolve(flags.rootDir) }),
    configure(apiNodeModule, {
      ...node,
      // As in the status reporter: the cloud provider sets the node's addresses unless the operator does.
      ...(externalCloudProvider && facts.givenNodeIps.length === 0 && { nodeIps: [] }),
    }),
    configure(nodeStatusReporterModule, {
      ...node,
      nodeIps: facts.givenNodeIps,
      registerNode: configuration.registerNode,
      port: configuration.port,
      statusUpdateFrequencyMs,
      statusReportFrequencyMs: parseGoDuration(configuration.nodeStatusReportFrequency),
      timeoutMs,
      nodeStatusMaxImages: configuration.nodeStatusMaxImages,
    }),
    configure(watchedCloudResourcesModule, { nodeName, externalCloudProvider }),
    configure(renewingNodeLeaseModule, { nodeName, leaseDurationSeconds, timeoutMs }),
    configure(nodeDriversModule, { nodeName }),
    configure(csiVolumesModule, { nodeName, rootDir: path.resolve(flags.rootDir) }),
    configure(apiSecretsModule, referencedObjects),
    configure(apiConfigMapsModule, referencedObjects),
    configure(apiClusterTrustBundleModule, { cacheEntries: 2 * configuration.maxPods }),
    configure(apiPodCertificateModule, { nodeName }),
    configure(kubeTransportModule, {
      kubeconfig: flags.kubeconfig,
      // With bootstrap, the file appears once the node has joined.
      awaitKubeconfig: flags.bootstrapKubeconfig !== '',
    }),
    configure(kubeTransportsModule, {}),
    configure(kubeconfigClientsModule, clientContent),
    configure(kubeClientModule, {
      qps: configuration.kubeAPIQPS,
      burst: configuration.kubeAPIBurst,
      eventQps: configuration.eventRecordQPS,
      eventBurst: configuration.eventBurst,
      ...clientContent,
    }),
    configure(apiPodsModule, { nodeName }),
    configure(apiStatusModule, {}),
    configure(apiEventRecorderModule, { nodeName }),
  ];
}
