import { admissionModule } from '@podwright/admission';
import {
  actuatedHousekeepingModule,
  allocationHousekeepingModule,
  allocationManagerModule,
  allocationStateModule,
} from '@podwright/allocation';
import type { AnyModule } from '@podwright/assembly-interface';
import { servingCertificateModule } from '@podwright/cert-rotation';
import { cgroupDriverModule, cgroupModule, orphanedPodCgroupsModule } from '@podwright/cgroup';
import { cgroupStatsModule } from '@podwright/cgroup-stats';
import { clusterTrustBundleModule } from '@podwright/cluster-trust-bundle';
import { localContainerEnvironmentModule, noServicesModule } from '@podwright/container-environment';
import { consoleModule } from '@podwright/console';
import { containerGcModule } from '@podwright/container-gc';
import { containerLogsModule, containerLogsRoutesModule } from '@podwright/container-logs';
import { containerResourcesModule } from '@podwright/container-resources';
import {
  containerRuntimeHousekeepingModule,
  containerRuntimeModule,
  containerRuntimeRoutesModule,
  runtimeStateModule,
} from '@podwright/container-runtime';
import { cpuManagerModule } from '@podwright/cpu-manager';
import { criClientModule } from '@podwright/cri-client';
import { eventedPlegModule } from '@podwright/evented-pleg';
import { logEventRecorderModule } from '@podwright/events';
import { evictionModule } from '@podwright/eviction';
import { explainModule } from '@podwright/explain';
import { flightRecorderModule } from '@podwright/flight-recorder';
import { pullingImageManagerModule } from '@podwright/image';
import { keyringImageCredentialsModule } from '@podwright/image-credentials';
import { imageGcModule } from '@podwright/image-gc';
import { fileImagePullRecordsModule } from '@podwright/image-pull-records';
import { iptablesModule } from '@podwright/iptables';
import { journalModule } from '@podwright/journal';
import type { KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { deviceManagerModule } from '@podwright/device-manager';
import { claimReconcilerModule, draManagerModule } from '@podwright/dra';
import { lifecycleHooksModule } from '@podwright/lifecycle-hooks';
import { linuxResourcesModule, podResizerModule } from '@podwright/linux-resources';
import { logRotationModule } from '@podwright/log-rotation';
import { memoryManagerModule } from '@podwright/memory-manager';
import { nodeLogsModule } from '@podwright/node-logs';
import { localNodeModule } from '@podwright/node-status';
import { offlineObjectsModule } from '@podwright/offline-objects';
import { gracefulNodeShutdownModule } from '@podwright/node-shutdown';
import { oomWatcherModule } from '@podwright/oom-watcher';
import { genericPlegModule } from '@podwright/pleg';
import { memoryPodCacheModule } from '@podwright/pod-cache';
import { pluginWatcherModule } from '@podwright/plugin-watcher';
import { podCertificateModule } from '@podwright/pod-certificate';
import { podConfigModule } from '@podwright/pod-config';
import { podManagerModule, podsRoutesModule } from '@podwright/pod-manager';
import { filePodCheckpointsModule, podCheckpointHousekeepingModule } from '@podwright/pod-checkpoint';
import { podRelistModule } from '@podwright/pod-relist';
import { grpcPodResourcesServerModule } from '@podwright/pod-resources';
import { grpcPodsApiModule } from '@podwright/pods-api';
import { podSyncModule } from '@podwright/pod-sync';
import { activePodsModule, podLifecycleModule, podWorkQueueModule, podWorkersModule } from '@podwright/pod-workers';
import { preemptionModule } from '@podwright/preemption';
import { probeHousekeepingModule, probeModule, probersModule } from '@podwright/probe';
import { standaloneConfigMapsModule, standaloneSecretsModule } from '@podwright/referenced-objects';
import { profilingModule } from '@podwright/profiling';
import { configuredRuntimeClassesModule } from '@podwright/runtime-class';
import { serviceAccountTokenModule } from '@podwright/service-account-token';
import { serverModule } from '@podwright/server';
import { serverAuthModule } from '@podwright/server-auth';
import { onDemandStatsModule, statsRoutesModule } from '@podwright/stats';
import { statusHousekeepingModule, statusModule } from '@podwright/status';
import { runtimeStreamingModule, streamingRoutesModule } from '@podwright/streaming';
import { syncLoopModule } from '@podwright/sync-loop';
import { machineTopologyModule, topologyManagerModule } from '@podwright/topology-manager';
import { otlpTracerModule } from '@podwright/tracing';
import { fileUserNamespacesModule, userNamespaceHousekeepingModule } from '@podwright/user-namespace';
import { volumeHousekeepingModule, volumeManagerModule } from '@podwright/volume';
import { apiDataVolumesModule } from '@podwright/volume-api-data';
import { fcVolumesModule } from '@podwright/volume-fc';
import { flexVolumesModule } from '@podwright/volume-flex';
import { iscsiVolumesModule } from '@podwright/volume-iscsi';
import { diskVolumesModule } from '@podwright/volume-disk';
import { localVolumesModule } from '@podwright/volume-local';
import { nfsVolumesModule } from '@podwright/volume-nfs';
import { needsServingCertificate } from './certificate-options.js';
import type { GateFacts } from './gate-options.js';
import { localModules } from './local-modules.js';

/**
 * The modules of the kubelet, from the bottom up. A module starts after those that it needs; where that leaves the
 * order open, this list decides (`libs/assembly/default/src/module-graph.ts`, `kubelet assembly print`).
 */
export const kubeletModules: readonly AnyModule[] = [
  // No dependencies
  journalModule,
  logEventRecorderModule,
  filePodCheckpointsModule,
  podManagerModule,
  podLifecycleModule,
  memoryPodCacheModule,
  statusModule,
  allocationStateModule,
  activePodsModule,
  // The node
  pluginWatcherModule,
  cgroupDriverModule,
  cgroupModule,
  cgroupStatsModule,
  oomWatcherModule,
  standaloneSecretsModule,
  standaloneConfigMapsModule,
  serviceAccountTokenModule,
  clusterTrustBundleModule,
  podCertificateModule,
  noServicesModule,
  localVolumesModule,
  nfsVolumesModule,
  apiDataVolumesModule,
  iscsiVolumesModule,
  fcVolumesModule,
  flexVolumesModule,
  diskVolumesModule,
  volumeManagerModule,
  machineTopologyModule,
  topologyManagerModule,
  cpuManagerModule,
  memoryManagerModule,
  deviceManagerModule,
  draManagerModule,
  claimReconcilerModule,
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
  linuxResourcesModule,
  podResizerModule,
  podRelistModule,
  genericPlegModule,
  containerGcModule,
  runtimeStreamingModule,
  containerLogsModule,
  logRotationModule,
  onDemandStatsModule,
  imageGcModule,
  // Life of a pod
  podWorkQueueModule,
  podSyncModule,
  podWorkersModule,
  preemptionModule,
  admissionModule,
  evictionModule,
  gracefulNodeShutdownModule,
  podConfigModule,
  allocationManagerModule,
  // Housekeeping, in upstream's order; each is apart from its manager
  probeHousekeepingModule,
  statusHousekeepingModule,
  allocationHousekeepingModule,
  actuatedHousekeepingModule,
  userNamespaceHousekeepingModule,
  volumeHousekeepingModule,
  orphanedPodCgroupsModule,
  podCheckpointHousekeepingModule,
  containerRuntimeHousekeepingModule,
  syncLoopModule,
  nodeLogsModule,
  profilingModule,
  podsRoutesModule,
  explainModule,
  streamingRoutesModule,
  containerLogsRoutesModule,
  statsRoutesModule,
  containerRuntimeRoutesModule,
  consoleModule,
  serverModule,
  grpcPodResourcesServerModule,
];

/**
 * As upstream, but only with the server: a node without it needs neither an API server nor a CA file to check callers.
 */
export const serverAuthModules = ({ enableServer }: Pick<KubeletConfiguration, 'enableServer'>): readonly AnyModule[] =>
  enableServer ? [serverAuthModule] : [];

export const iptablesModules = ({
  makeIPTablesUtilChains,
}: Pick<KubeletConfiguration, 'makeIPTablesUtilChains'>): readonly AnyModule[] =>
  makeIPTablesUtilChains ? [iptablesModule] : [];

export const servingCertificateModules = (configuration: KubeletConfiguration): readonly AnyModule[] =>
  needsServingCertificate(configuration) ? [servingCertificateModule] : [];

/** The tracer module, only when the configuration asks for tracing; without it no manager makes spans. */
export const tracingModules = ({ tracing }: KubeletConfiguration): readonly AnyModule[] =>
  tracing === undefined ? [] : [otlpTracerModule];

/** Modules that an assembly file may name without installing their package: `with: '@podwright/evented-pleg'`. */
export const knownModules: readonly AnyModule[] = [
  genericPlegModule,
  eventedPlegModule,
  flightRecorderModule,
  offlineObjectsModule,
  ...localModules,
];

/** Replaces the generic pleg by the evented one unless gate EventedPLEG is off. */
export const withGatedPleg = ({ eventedPleg }: GateFacts, modules: readonly AnyModule[]): readonly AnyModule[] =>
  eventedPleg ? modules.map((module) => (module === genericPlegModule ? eventedPlegModule : module)) : modules;

/** Without the flag nothing stands in the way of a call. */
export const flightRecorderModules = ({ flightRecorder }: Pick<KubeletFlags, 'flightRecorder'>): readonly AnyModule[] =>
  flightRecorder === '' ? [] : [flightRecorderModule];

export const podsApiModules = ({ podsApi }: GateFacts): readonly AnyModule[] => (podsApi ? [grpcPodsApiModule] : []);

/** Without the gate there are no pull records, and every pod may use an image that is on the node. */
export const imagePullRecordsModules = ({ ensureSecretPulledImages }: GateFacts): readonly AnyModule[] =>
  ensureSecretPulledImages ? [fileImagePullRecordsModule] : [];
