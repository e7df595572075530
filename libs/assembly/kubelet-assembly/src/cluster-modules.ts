import type { AnyModule } from '@podwright/assembly-interface';
import { clientCertificateModule } from '@podwright/cert-rotation';
import { watchedCloudResourcesModule } from '@podwright/cloud-resource-sync';
import { apiClusterTrustBundleModule } from '@podwright/cluster-trust-bundle';
import { apiServicesModule } from '@podwright/container-environment';
import { apiEventRecorderModule } from '@podwright/events';
import { kubeClientModule, kubeconfigClientsModule } from '@podwright/kube-client';
import { kubeTransportModule, kubeTransportsModule } from '@podwright/kube-transport';
import { renewingNodeLeaseModule } from '@podwright/node-lease';
import { apiNodeModule, nodeStatusReporterModule } from '@podwright/node-status';
import { apiPodsModule } from '@podwright/pod-config';
import { apiMirrorPodsModule, orphanedMirrorPodsModule } from '@podwright/pod-manager';
import { apiConfigMapsModule, apiSecretsModule } from '@podwright/referenced-objects';
import { apiPodCertificateModule } from '@podwright/pod-certificate';
import { apiRuntimeClassesModule } from '@podwright/runtime-class';
import { apiServiceAccountTokenModule } from '@podwright/service-account-token';
import { apiStatusModule } from '@podwright/status';
import { csiVolumesModule, nodeDriversModule } from '@podwright/volume-csi';
import { volumeClaimModule } from '@podwright/volume-claim';
import { clientCertificateOptions } from './certificate-options.js';
import { clusterModuleOptions } from './cluster-module-options.js';
import type { KubeletPart } from './kubelet-part.js';

/** Modules for a kubelet with an API server, by the name of the module that each replaces. */
const clusterReplacements: Readonly<Record<string, AnyModule>> = {
  '@podwright/referenced-objects#secrets': apiSecretsModule,
  '@podwright/referenced-objects#configmaps': apiConfigMapsModule,
  '@podwright/service-account-token': apiServiceAccountTokenModule,
  '@podwright/cluster-trust-bundle': apiClusterTrustBundleModule,
  '@podwright/pod-certificate': apiPodCertificateModule,
  '@podwright/container-environment#services': apiServicesModule,
  '@podwright/status': apiStatusModule,
  '@podwright/node-status': apiNodeModule,
  '@podwright/events': apiEventRecorderModule,
  '@podwright/runtime-class': apiRuntimeClassesModule,
};
const clusterAdditions: readonly AnyModule[] = [
  kubeTransportModule,
  kubeTransportsModule,
  kubeconfigClientsModule,
  kubeClientModule,
  volumeClaimModule,
  apiPodsModule,
  apiMirrorPodsModule,
  orphanedMirrorPodsModule,
  nodeStatusReporterModule,
  renewingNodeLeaseModule,
  nodeDriversModule,
  csiVolumesModule,
  watchedCloudResourcesModule,
];

/** How a kubelet with an API server differs. It rotates its client certificate only if the configuration asks for it. */
export const clusterParts: readonly KubeletPart[] = [
  {
    applies: ({ flags, configuration }) => flags.kubeconfig !== '' && configuration.rotateCertificates,
    additions: [clientCertificateModule],
    options: clientCertificateOptions,
  },
  {
    applies: ({ flags }) => flags.kubeconfig !== '',
    replacements: clusterReplacements,
    additions: clusterAdditions,
    options: clusterModuleOptions,
  },
];
