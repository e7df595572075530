import type { AnyModule } from '@podwright/assembly-interface';
import { clientCertificateModule } from '@podwright/cert-rotation';
import { watchedCloudResourcesModule } from '@podwright/cloud-resource-sync';
import { apiClusterTrustBundleModule } from '@podwright/cluster-trust-bundle';
import { apiServicesModule } from '@podwright/container-environment';
import { containerRefModule } from '@podwright/container-ref';
import { apiEventRecorderModule } from '@podwright/events';
import { kubeClientModule, kubeconfigClientsModule, kubeTransportModule } from '@podwright/kube-client';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { renewingNodeLeaseModule } from '@podwright/node-lease';
import { apiNodeModule, nodeStatusReporterModule } from '@podwright/node-status';
import { apiPodsModule } from '@podwright/pod-config';
import { apiMirrorPodsModule } from '@podwright/pod-manager';
import { apiConfigMapsModule, apiSecretsModule } from '@podwright/referenced-objects';
import { apiRuntimeClassesModule } from '@podwright/runtime-class';
import { apiServiceAccountTokenModule } from '@podwright/service-account-token';
import { apiStatusModule } from '@podwright/status';

/**
 * What an API server changes: modules that take the place of those that do without one (by the name of the module that
 * goes), and modules that come in addition.
 */
export const clusterReplacements: Readonly<Record<string, AnyModule>> = {
  '@podwright/secret': apiSecretsModule,
  '@podwright/configmap': apiConfigMapsModule,
  '@podwright/service-account-token': apiServiceAccountTokenModule,
  '@podwright/cluster-trust-bundle': apiClusterTrustBundleModule,
  '@podwright/container-environment#services': apiServicesModule,
  '@podwright/status': apiStatusModule,
  '@podwright/node-status': apiNodeModule,
  '@podwright/events': apiEventRecorderModule,
  '@podwright/runtime-class': apiRuntimeClassesModule,
};
export const clusterAdditions: readonly AnyModule[] = [
  kubeTransportModule,
  kubeconfigClientsModule,
  kubeClientModule,
  containerRefModule,
  apiPodsModule,
  apiMirrorPodsModule,
  nodeStatusReporterModule,
  renewingNodeLeaseModule,
  watchedCloudResourcesModule,
];

/** The client certificate is looked after only when the configuration asks for that. */
export const clientCertificateModules = ({ rotateCertificates }: KubeletConfiguration): readonly AnyModule[] =>
  rotateCertificates ? [clientCertificateModule] : [];

/** The list for a kubelet with an API server, made from the one without; the order of the list stays. */
export function withCluster(
  modules: readonly AnyModule[],
  replacements = clusterReplacements,
  additions = clusterAdditions,
): readonly AnyModule[] {
  const names = new Set(modules.map(({ name }) => name));
  const unknown = Object.keys(replacements).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`there is no module ${unknown.join(', ')} to replace`);
  return [...additions, ...modules.map((module) => replacements[module.name] ?? module)];
}
