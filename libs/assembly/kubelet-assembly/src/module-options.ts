import { admissionModule } from '@podwright/admission';
import { allocationManagerModule, allocationStateModule } from '@podwright/allocation';
import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { localContainerEnvironmentModule } from '@podwright/container-environment';
import { containerGcModule } from '@podwright/container-gc';
import { containerLogsModule } from '@podwright/container-logs';
import { concurrentStarts, containerRuntimeModule, type ContainerRuntimeConfig } from '@podwright/container-runtime';
import { criClientModule } from '@podwright/cri-client';
import { deviceManagerModule } from '@podwright/device-manager';
import { draManagerModule } from '@podwright/dra';
import { logEventRecorderModule } from '@podwright/events';
import { eventedPlegModule } from '@podwright/evented-pleg';
import { flightRecorderModule } from '@podwright/flight-recorder';
import { journalModule } from '@podwright/journal';
import { FeatureGates, type KubeletConfiguration, type KubeletFlags } from '@podwright/kubelet-configuration';
import { linuxResourcesModule, podResizerModule } from '@podwright/linux-resources';
import { gracefulNodeShutdownModule } from '@podwright/node-shutdown';
import { localNodeModule } from '@podwright/node-status';
import { genericPlegModule } from '@podwright/pleg';
import { pluginWatcherModule } from '@podwright/plugin-watcher';
import { filePodCheckpointsModule } from '@podwright/pod-checkpoint';
import { oomWatcherModule } from '@podwright/oom-watcher';
import { podConfigModule } from '@podwright/pod-config';
import { grpcPodResourcesServerModule } from '@podwright/pod-resources';
import { grpcPodsApiModule } from '@podwright/pods-api';
import { podSyncModule } from '@podwright/pod-sync';
import { podWorkersModule } from '@podwright/pod-workers';
import { probeModule } from '@podwright/probe';
import { runtimeStreamingModule } from '@podwright/streaming';
import { syncLoopModule } from '@podwright/sync-loop';
import { parseGoDuration } from '@podwright/time';
import { otlpTracerModule } from '@podwright/tracing';
import { fileUserNamespacesModule } from '@podwright/user-namespace';
import { volumeManagerModule } from '@podwright/volume';
import { apiDataVolumesModule } from '@podwright/volume-api-data';
import { fcVolumesModule } from '@podwright/volume-fc';
import { flexVolumesModule } from '@podwright/volume-flex';
import { iscsiVolumesModule } from '@podwright/volume-iscsi';
import { localVolumesModule } from '@podwright/volume-local';
import path from 'node:path';
import { needsServingCertificate, servingCertificateOptions } from './certificate-options.js';
import { cgroupOptions, memoryOptions } from './cgroup-options.js';
import { evictionOptions } from './eviction-options.js';
import { exclusiveResourceOptions } from './exclusive-resource-options.js';
import { gateFacts, withGateOptions } from './gate-options.js';
import { imageGcOptions } from './image-gc-options.js';
import { imageOptions } from './image-options.js';
import { localOptions } from './local-modules.js';
import { logRotationOptions } from './log-rotation-options.js';
import type { NodeFacts } from './node-facts.js';
import { nodeOptions } from './node-options.js';
import type { NodeSettings } from './node-settings.js';
import { serverAuthOptions } from './server-auth-options.js';
import { serverOptions } from './server-options.js';
import { statsOptions } from './stats-options.js';

// Shorter than the process's limits for one manager and for all, so that each manager still logs what it leaves behind.
// That is usual: the next kubelet resumes a kill that waits for the end of a grace period.
const podWorkersStopTimeoutMs = 900;
const volumeStopTimeoutMs = 400;

/**
 * Maps configuration fields, flags and facts of the machine to options, by module name. Options that depend on feature
 * gates are in `gate-options.ts`.
 */
export function moduleOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  facts: NodeFacts,
  featureGates: FeatureGates = FeatureGates.defaults(),
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const settings = { configuration, flags, facts, gates: gateFacts(featureGates) };
  return withGateOptions([...nodeLevelOptions(settings), ...podLevelOptions(settings)], featureGates);
}

/** Options of the managers of the node. */
function nodeLevelOptions(settings: NodeSettings): readonly ConfiguredModule[] {
  const { configuration, flags, facts } = settings;
  const rootDir = path.resolve(flags.rootDir);
  return [
    configure(journalModule, { rootDir }),
    configure(flightRecorderModule, { rootDir, ...(flags.flightRecorder !== '' && { write: flags.flightRecorder }) }),
    configure(logEventRecorderModule, { nodeName: facts.nodeName }),
    configure(criClientModule, {
      runtimeEndpoint: configuration.containerRuntimeEndpoint,
      imageEndpoint: configuration.imageServiceEndpoint,
      requestTimeoutMs: parseGoDuration(configuration.runtimeRequestTimeout),
    }),
    configure(localNodeModule, nodeOptions(settings)),
    ...cgroupOptions(settings),
    statsOptions(settings),
    evictionOptions(settings),
    imageGcOptions(settings),
    ...imageOptions(settings),
    configure(containerGcModule, {
      podLogsDir: configuration.podLogsDir,
      minAgeMs: parseGoDuration(flags.minimumContainerTtlDuration),
      maxPerPodContainer: flags.maximumDeadContainersPerContainer,
      maxContainers: Math.max(-1, flags.maximumDeadContainers),
    }),
    logRotationOptions(settings),
    configure(gracefulNodeShutdownModule, {
      rootDir,
      shutdownGracePeriodMs: parseGoDuration(configuration.shutdownGracePeriod),
      shutdownGracePeriodCriticalPodsMs: parseGoDuration(configuration.shutdownGracePeriodCriticalPods),
      shutdownGracePeriodByPodPriority: settings.gates.shutdownByPodPriority
        ? (configuration.shutdownGracePeriodByPodPriority ?? [])
        : [],
    }),
    ...exclusiveResourceOptions(settings),
    configure(deviceManagerModule, {
      directory: path.join(rootDir, 'device-plugins'),
      // Plugins look for the kubelet there, whatever its root directory is.
      secondDirectory: '/var/lib/kubelet/device-plugins',
    }),
    configure(draManagerModule, { rootDir }),
    configure(pluginWatcherModule, { directory: path.join(rootDir, 'plugins_registry') }),
    configure(grpcPodResourcesServerModule, { socket: path.join(rootDir, 'pod-resources', 'kubelet.sock') }),
    ...(settings.gates.podsApi
      ? [configure(grpcPodsApiModule, { socket: path.join(rootDir, 'pods-api', 'pods-api.sock') })]
      : []),
    ...serverOptions(settings),
    ...(configuration.enableServer ? [serverAuthOptions(settings)] : []),
    ...(needsServingCertificate(configuration) ? servingCertificateOptions(settings) : []),
    ...tracingOptions(settings),
  ];
}

/** Options of the managers that start and stop pods. */
function podLevelOptions(settings: NodeSettings): readonly ConfiguredModule[] {
  const { configuration, flags, facts } = settings;
  const rootDir = path.resolve(flags.rootDir);
  const { givenNodeIps: nodeIps, nodeName } = facts;
  const hasApiServer = flags.kubeconfig !== '';
  const { podLogsDir } = configuration;
  const syncFrequencyMs = parseGoDuration(configuration.syncFrequency);
  return [
    configure(filePodCheckpointsModule, { rootDir }),
    configure(podConfigModule, {
      nodeName,
      staticPodPath: configuration.staticPodPath === '' ? '' : path.resolve(configuration.staticPodPath),
      staticPodUrl: configuration.staticPodURL,
      staticPodUrlHeader: configuration.staticPodURLHeader,
      fileCheckFrequencyMs: parseGoDuration(configuration.fileCheckFrequency),
      httpCheckFrequencyMs: parseGoDuration(configuration.httpCheckFrequency),
    }),
    ...localOptions(settings),
    configure(settings.gates.eventedPleg ? eventedPlegModule : genericPlegModule, {}),
    configure(syncLoopModule, { stalledAfterMs: Math.max(300_000, 2 * syncFrequencyMs) }),
    configure(admissionModule, { allowedUnsafeSysctls: configuration.allowedUnsafeSysctls }),
    configure(allocationStateModule, { rootDir }),
    configure(allocationManagerModule, {
      cpuManagerPolicy: configuration.cpuManagerPolicy,
      memoryManagerPolicy: configuration.memoryManagerPolicy,
      memorySwapBehavior:
        configuration.memorySwap.swapBehavior === '' ? 'NoSwap' : configuration.memorySwap.swapBehavior,
      swapControllerAvailable: facts.swapControllerAvailable,
    }),
    configure(podWorkersModule, { syncFrequencyMs, stopTimeoutMs: podWorkersStopTimeoutMs }),
    configure(probeModule, {}),
    configure(oomWatcherModule, {}),
    configure(podSyncModule, { rootDir, nodeIps, hasApiServer }),
    configure(apiDataVolumesModule, { hasApiServer }),
    configure(iscsiVolumesModule, { rootDir }),
    configure(fcVolumesModule, { rootDir }),
    configure(flexVolumesModule, { rootDir, directory: path.resolve(configuration.volumePluginDir) }),
    configure(localVolumesModule, { rootDir }),
    configure(volumeManagerModule, {
      rootDir,
      controllerAttaches: configuration.enableControllerAttachDetach,
      stopTimeoutMs: volumeStopTimeoutMs,
    }),
    configure(containerRuntimeModule, {
      rootDir,
      podLogsDir,
      seccompDefault: configuration.seccompDefault || flags.seccompDefault,
      ...concurrentStarts(facts.cores),
      ...restartBackOff(settings),
    }),
    configure(linuxResourcesModule, {
      cpuCfsQuota: configuration.cpuCFSQuota,
      cpuCfsQuotaPeriodMs: parseGoDuration(configuration.cpuCFSQuotaPeriod),
      cgroupVersion: facts.cgroupVersion,
      singleProcessOomKill: configuration.singleProcessOOMKill ?? facts.cgroupVersion === 1,
      nodeMemoryBytes: facts.memoryBytes,
      ...memoryOptions(settings),
    }),
    configure(podResizerModule, {}),
    configure(localContainerEnvironmentModule, {
      rootDir,
      nodeName,
      nodeIps,
      clusterDns: configuration.clusterDNS,
      clusterDomain: configuration.clusterDomain,
      resolvConf: configuration.resolvConf,
    }),
    configure(containerLogsModule, { podLogsDir }),
    configure(fileUserNamespacesModule, {
      rootDir,
      maxPods: configuration.maxPods,
      ...(configuration.userNamespaces.idsPerPod !== undefined && {
        idsPerPod: configuration.userNamespaces.idsPerPod,
      }),
    }),
    configure(runtimeStreamingModule, {}),
  ];
}

function tracingOptions({ configuration: { tracing }, facts }: NodeSettings): readonly ConfiguredModule[] {
  if (tracing === undefined) return [];
  return [
    configure(otlpTracerModule, {
      // As upstream, an empty endpoint is none.
      ...(tracing.endpoint !== undefined && tracing.endpoint !== '' && { endpoint: tracing.endpoint }),
      samplingRatePerMillion: tracing.samplingRatePerMillion ?? 0,
      hostName: facts.nodeName,
    }),
  ];
}

/** Upstream's first back-off. A lower limit lowers it too; under a higher limit the module's own default stays. */
const usualFirstPauseMs = 10_000;
// First and longest back-off with gate ReduceDefaultCrashLoopBackOffDecay, unless the configuration sets the longest.
const reducedFirstPauseMs = 1_000;
const reducedLongestPauseMs = 60_000;

/** Source: kubernetes v1.36 pkg/kubelet/kubelet.go newCrashLoopBackOff. */
function restartBackOff({
  configuration: { crashLoopBackOff },
  gates,
}: NodeSettings): Pick<
  Partial<ContainerRuntimeConfig>,
  'containerRestartBackOffInitialMs' | 'containerRestartBackOffMaxMs'
> {
  const reduced = gates.reduceCrashLoopBackOff;
  const limit = gates.crashLoopBackOffMax ? crashLoopBackOff.maxContainerRestartPeriod : undefined;
  const firstMs = reduced ? reducedFirstPauseMs : usualFirstPauseMs;
  const longestMs = limit !== undefined ? parseGoDuration(limit) : reduced ? reducedLongestPauseMs : undefined;
  if (longestMs === undefined) return {};
  return {
    containerRestartBackOffMaxMs: longestMs,
    ...((reduced || longestMs < firstMs) && { containerRestartBackOffInitialMs: Math.min(firstMs, longestMs) }),
  };
}
