import { admissionHandlersModule, admissionModule } from '@podwright/admission';
import { allocationManagerModule, allocationStateModule } from '@podwright/allocation';
import type { AnyModule } from '@podwright/assembly-interface';
import { servingCertificateModule } from '@podwright/cert-rotation';
import { cgroupDriverModule, cgroupModule } from '@podwright/cgroup';
import { cgroupStatsModule } from '@podwright/cgroup-stats';
import { clusterTrustBundleModule } from '@podwright/cluster-trust-bundle';
import { configmapModule } from '@podwright/configmap';
import { localContainerEnvironmentModule, noServicesModule } from '@podwright/container-environment';
import { containerGcModule } from '@podwright/container-gc';
import { containerLogsModule } from '@podwright/container-logs';
import { containerResourcesModule } from '@podwright/container-resources';
import { containerRuntimeModule, runtimeStateModule } from '@podwright/container-runtime';
import { cpuManagerModule } from '@podwright/cpu-manager';
import { criClientModule } from '@podwright/cri-client';
import { eventedPlegModule } from '@podwright/evented-pleg';
import { logEventRecorderModule } from '@podwright/events';
import { evictionModule } from '@podwright/eviction';
import { pullingImageManagerModule } from '@podwright/image';
import { keyringImageCredentialsModule } from '@podwright/image-credentials';
import { imageGcModule } from '@podwright/image-gc';
import { fileImagePullRecordsModule } from '@podwright/image-pull-records';
import type { FeatureGates, KubeletConfiguration } from '@podwright/kubelet-configuration';
import { deviceManagerModule } from '@podwright/device-manager';
import { lifecycleHooksModule } from '@podwright/lifecycle-hooks';
import { logRotationModule } from '@podwright/log-rotation';
import { memoryManagerModule } from '@podwright/memory-manager';
import { localNodeModule } from '@podwright/node-status';
import { gracefulNodeShutdownModule } from '@podwright/node-shutdown';
import { oomWatcherModule } from '@podwright/oom-watcher';
import { genericPlegModule } from '@podwright/pleg';
import { memoryPodCacheModule } from '@podwright/pod-cache';
import { pluginWatcherModule } from '@podwright/plugin-watcher';
import { podConfigModule } from '@podwright/pod-config';
import { podManagerModule } from '@podwright/pod-manager';
import { filePodMemoryModule } from '@podwright/pod-memory';
import { podRelistModule } from '@podwright/pod-relist';
import { grpcPodResourcesServerModule } from '@podwright/pod-resources';
import { podSyncModule } from '@podwright/pod-sync';
import { activePodsModule, podLifecycleModule, podWorkQueueModule, podWorkersModule } from '@podwright/pod-workers';
import { preemptionModule } from '@podwright/preemption';
import { probeModule, probersModule } from '@podwright/probe';
import { configuredRuntimeClassesModule } from '@podwright/runtime-class';
import { secretModule } from '@podwright/secret';
import { serviceAccountTokenModule } from '@podwright/service-account-token';
import { serverModule } from '@podwright/server';
import { serverAuthModule } from '@podwright/server-auth';
import { onDemandStatsModule } from '@podwright/stats';
import { statusModule } from '@podwright/status';
import { runtimeStreamingModule } from '@podwright/streaming';
import { syncLoopModule } from '@podwright/sync-loop';
import { machineTopologyModule, topologyManagerModule } from '@podwright/topology-manager';
import { otlpTracerModule } from '@podwright/tracing';
import { fileUserNamespacesModule } from '@podwright/user-namespace';
import { volumeManagerModule } from '@podwright/volume';
import { needsServingCertificate } from './certificate-options.js';
import { volumePluginsModule } from './volume-plugins.module.js';

/**
 * The kubelet, part by part, from the bottom up. What a module requires starts before it; modules that need equally long
 * chains of others start in the order of this list (`libs/assembly/default/src/module-graph.ts`, `kubelet assembly print`).
 */
export const kubeletModules: readonly AnyModule[] = [
  // Truths without dependencies
  logEventRecorderModule,
  filePodMemoryModule,
  podManagerModule,
  podLifecycleModule,
  memoryPodCacheModule,
  statusModule,
  allocationStateModule,
  activePodsModule,
  admissionHandlersModule,
  // The node
  pluginWatcherModule,
  cgroupDriverModule,
  cgroupModule,
  cgroupStatsModule,
  oomWatcherModule,
  secretModule,
  configmapModule,
  serviceAccountTokenModule,
  clusterTrustBundleModule,
  noServicesModule,
  volumePluginsModule,
  volumeManagerModule,
  machineTopologyModule,
  topologyManagerModule,
  cpuManagerModule,
  memoryManagerModule,
  deviceManagerModule,
  containerResourcesModule,
  // The runtime
  criClientModule,
  runtimeStateModule,
  localNodeModule,
  configuredRuntimeClassesModule,
  fileUserNamespacesModule,
  keyringImageCredentialsModule,
  pullingImageManagerModule,
  localContainerEnvironmentModule,
  lifecycleHooksModule,
  probersModule,
  probeModule,
  containerRuntimeModule,
  podRelistModule,
  genericPlegModule,
  containerGcModule,
  runtimeStreamingModule,
  containerLogsModule,
  logRotationModule,
  onDemandStatsModule,
  imageGcModule,
  // The way of a pod
  podWorkQueueModule,
  podSyncModule,
  podWorkersModule,
  preemptionModule,
  admissionModule,
  evictionModule,
  gracefulNodeShutdownModule,
  podConfigModule,
  allocationManagerModule,
  syncLoopModule,
  serverModule,
  grpcPodResourcesServerModule,
];

/** Upstream checks who may call even when nobody can: a node without the server needs neither API server nor CA file here. */
export const serverAuthModules = ({
  enableServer,
}: Pick<KubeletConfiguration, 'enableServer'>): readonly AnyModule[] => (enableServer ? [serverAuthModule] : []);

export const servingCertificateModules = (configuration: KubeletConfiguration): readonly AnyModule[] =>
  needsServingCertificate(configuration) ? [servingCertificateModule] : [];

/** Spans are made only when the configuration asks for them: without the module nobody even looks. */
export const tracingModules = ({ tracing }: KubeletConfiguration): readonly AnyModule[] =>
  tracing === undefined ? [] : [otlpTracerModule];

/** Modules that an assembly file may name without their being installed beside it: `with: '@podwright/evented-pleg'`. */
export const knownModules: readonly AnyModule[] = [genericPlegModule, eventedPlegModule];

/** The pleg that the gate EventedPLEG asks for, in the place of the generic one. */
export const withPlegOf = (gates: FeatureGates, modules: readonly AnyModule[]): readonly AnyModule[] =>
  gates.enabled('EventedPLEG')
    ? modules.map((module) => (module === genericPlegModule ? eventedPlegModule : module))
    : modules;

/** Without the gate nobody remembers who pulled what, and a present image is open to all. */
export const imagePullRecordsModules = (featureGates: FeatureGates): readonly AnyModule[] =>
  featureGates.enabled('KubeletEnsureSecretPulledImages') ? [fileImagePullRecordsModule] : [];
