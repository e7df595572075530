import {
  durationToMs,
  FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
} from '@podwright/kubelet-configuration';
import path from 'node:path';
import { needsServingCertificate, servingCertificateOptions } from './certificate-options.js';
import { cgroupOptions, cgroupStatsOptions, memoryOptions } from './cgroup-options.js';
import { evictionOptions } from './eviction-options.js';
import { endpointOptions } from './endpoint-options.js';
import { exclusiveResourceOptions } from './exclusive-resource-options.js';
import { imageGcOptions } from './image-gc-options.js';
import { imageOptions } from './image-options.js';
import { logRotationOptions } from './log-rotation-options.js';
import type { NodeFacts } from './node-facts.js';
import { nodeOptions } from './node-options.js';
import { serverOptions } from './server-options.js';
import { serverAuthOptions } from './server-auth-options.js';
import { statsOptions } from './stats-options.js';

// Shorter than what the process grants a manager and all of them, so that each says itself what it left behind. That is
// usual: a kill that waits for a container to end its grace is taken up by the next kubelet.
const podWorkersStopTimeoutMs = 900;
const volumeStopTimeoutMs = 400;

/** Which field of the configuration, flag or fact of the machine steers which option of which module. */
export function moduleOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  facts: NodeFacts,
  featureGates: FeatureGates = FeatureGates.defaults(),
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { podLogsDir } = configuration;
  const rootDir = path.resolve(flags.rootDir);
  const { nodeName, givenNodeIps: nodeIps } = facts;
  const syncFrequencyMs = durationToMs(configuration.syncFrequency);
  return {
    '@podwright/events': { nodeName },
    '@podwright/allocation#state': {
      rootDir,
      initContainerResize: featureGates.enabled('InPlacePodVerticalScalingInitContainers'),
      podLevelResize: featureGates.enabled('InPlacePodLevelResourcesVerticalScaling'),
    },
    '@podwright/allocation': {
      inPlaceResize: featureGates.enabled('InPlacePodVerticalScaling'),
      initContainerResize: featureGates.enabled('InPlacePodVerticalScalingInitContainers'),
      podLevelResize: featureGates.enabled('InPlacePodLevelResourcesVerticalScaling'),
      podLevelResources: featureGates.enabled('PodLevelResources'),
      exclusiveCpuResize: featureGates.enabled('InPlacePodVerticalScalingExclusiveCPUs'),
      exclusiveMemoryResize: featureGates.enabled('InPlacePodVerticalScalingExclusiveMemory'),
      cpuManagerPolicy: configuration.cpuManagerPolicy,
      memoryManagerPolicy: configuration.memoryManagerPolicy,
      memorySwapBehavior:
        configuration.memorySwap.swapBehavior === '' ? 'NoSwap' : configuration.memorySwap.swapBehavior,
    },
    '@podwright/pod-memory': { rootDir },
    '@podwright/cgroup#driver': { cgroupDriver: configuration.cgroupDriver },
    '@podwright/cgroup': cgroupOptions(configuration, facts, featureGates),
    '@podwright/cgroup-stats': cgroupStatsOptions(configuration, flags, featureGates),
    '@podwright/stats': statsOptions(configuration, flags, nodeName, featureGates),
    '@podwright/eviction': evictionOptions(configuration, flags, featureGates),
    '@podwright/cri-client': {
      runtimeEndpoint: configuration.containerRuntimeEndpoint,
      imageEndpoint: configuration.imageServiceEndpoint,
      requestTimeoutMs: durationToMs(configuration.runtimeRequestTimeout),
    },
    '@podwright/container-runtime': {
      rootDir,
      podLogsDir,
      cpuCfsQuota: configuration.cpuCFSQuota,
      cpuCfsQuotaPeriodMs: durationToMs(configuration.cpuCFSQuotaPeriod),
      cgroupVersion: facts.cgroupVersion,
      singleProcessOomKill: configuration.singleProcessOOMKill ?? facts.cgroupVersion === 1,
      seccompDefault: configuration.seccompDefault || flags.seccompDefault,
      nodeMemoryBytes: facts.memoryBytes,
      ...memoryOptions(configuration, facts, featureGates),
      maxConcurrentStarts: 2 * facts.cores,
      podLevelResize: featureGates.enabled('InPlacePodLevelResourcesVerticalScaling'),
      initContainerResize: featureGates.enabled('InPlacePodVerticalScalingInitContainers'),
      runtimeClassInImageCriApi: featureGates.enabled('RuntimeClassInImageCriApi'),
      containerStopSignals: featureGates.enabled('ContainerStopSignals'),
      ...restartBackOff(configuration.crashLoopBackOff.maxContainerRestartPeriod, featureGates),
    },
    ...imageOptions(configuration, flags, featureGates),
    '@podwright/image-gc': imageGcOptions(configuration, featureGates),
    '@podwright/container-environment': {
      rootDir,
      nodeName,
      nodeIps,
      clusterDns: configuration.clusterDNS,
      clusterDomain: configuration.clusterDomain,
      resolvConf: configuration.resolvConf,
      hostnameOverride: featureGates.enabled('HostnameOverride'),
      envFiles: featureGates.enabled('EnvFiles'),
    },
    '@podwright/container-gc': {
      podLogsDir,
      minAgeMs: durationToMs(flags.minimumContainerTtlDuration),
      maxPerPodContainer: flags.maximumDeadContainersPerContainer,
      maxContainers: Math.max(-1, flags.maximumDeadContainers),
    },
    '@podwright/container-logs': { podLogsDir },
    '@podwright/log-rotation': logRotationOptions(configuration),
    '@podwright/user-namespace': {
      rootDir,
      maxPods: configuration.maxPods,
      ...(configuration.userNamespaces.idsPerPod !== undefined && {
        idsPerPod: configuration.userNamespaces.idsPerPod,
      }),
    },
    '@podwright/node-status': nodeOptions(configuration, flags, facts, featureGates),
    '@podwright/admission': {
      allowedUnsafeSysctls: configuration.allowedUnsafeSysctls,
      podLevelResources: featureGates.enabled('PodLevelResources'),
      tolerationComparisons: featureGates.enabled('TaintTolerationComparisonOperators'),
      nodeDeclaredFeatures: featureGates.enabled('NodeDeclaredFeatures'),
    },
    'volume-plugins': { hasApiServer: flags.kubeconfig !== '' },
    '@podwright/volume': { rootDir, stopTimeoutMs: volumeStopTimeoutMs },
    '@podwright/pod-sync': {
      rootDir,
      nodeIps,
      containerStopSignals: featureGates.enabled('ContainerStopSignals'),
      podLevelResize: featureGates.enabled('InPlacePodLevelResourcesVerticalScaling'),
    },
    '@podwright/pod-workers': { syncFrequencyMs, stopTimeoutMs: podWorkersStopTimeoutMs },
    '@podwright/node-shutdown': {
      rootDir,
      enabled: featureGates.enabled('GracefulNodeShutdown'),
      shutdownGracePeriodMs: durationToMs(configuration.shutdownGracePeriod),
      shutdownGracePeriodCriticalPodsMs: durationToMs(configuration.shutdownGracePeriodCriticalPods),
      shutdownGracePeriodByPodPriority: featureGates.enabled('GracefulNodeShutdownBasedOnPodPriority')
        ? (configuration.shutdownGracePeriodByPodPriority ?? [])
        : [],
    },
    '@podwright/sync-loop': {
      stalledAfterMs: Math.max(300_000, 2 * syncFrequencyMs),
      nodeDeclaredFeatures: featureGates.enabled('NodeDeclaredFeatures'),
    },
    '@podwright/pod-config': {
      nodeName,
      staticPodPath: configuration.staticPodPath === '' ? '' : path.resolve(configuration.staticPodPath),
      staticPodUrl: configuration.staticPodURL,
      staticPodUrlHeader: configuration.staticPodURLHeader,
      fileCheckFrequencyMs: durationToMs(configuration.fileCheckFrequency),
      httpCheckFrequencyMs: durationToMs(configuration.httpCheckFrequency),
    },
    '@podwright/streaming': {
      idleTimeoutMs: durationToMs(configuration.streamingConnectionIdleTimeout),
      extendWebSockets: featureGates.enabled('ExtendWebSocketsToKubelet'),
    },
    ...exclusiveResourceOptions(configuration, flags, facts, featureGates),
    '@podwright/device-manager': {
      directory: path.join(rootDir, 'device-plugins'),
      resourceHealthStatus: featureGates.enabled('ResourceHealthStatus'),
    },
    '@podwright/plugin-watcher': { directory: path.join(rootDir, 'plugins_registry') },
    '@podwright/pod-resources': {
      socket: path.join(rootDir, 'pod-resources', 'kubelet.sock'),
      listActivePods: featureGates.enabled('KubeletPodResourcesListUseActivePods'),
    },
    ...(configuration.tracing && {
      '@podwright/tracing': {
        ...(configuration.tracing.endpoint !== undefined && { endpoint: configuration.tracing.endpoint }),
        samplingRatePerMillion: configuration.tracing.samplingRatePerMillion ?? 0,
        hostName: facts.nodeName,
      },
    }),
    ...(configuration.enableServer && {
      '@podwright/server-auth': serverAuthOptions(configuration, nodeName, featureGates),
    }),
    ...(needsServingCertificate(configuration) && {
      '@podwright/cert-rotation#serving': servingCertificateOptions(configuration, flags, nodeName, featureGates),
    }),
    '@podwright/server': { ...serverOptions(configuration), ...endpointOptions(configuration, rootDir, featureGates) },
  };
}

/** Upstream's first pause; a limit below it lowers that too, above it the module's own default stays. */
const usualFirstPauseMs = 10_000;
// What gate ReduceDefaultCrashLoopBackOffDecay makes of first and longest pause, where the configuration has no say.
const reducedFirstPauseMs = 1_000;
const reducedLongestPauseMs = 60_000;

/** Source: kubernetes v1.36 pkg/kubelet/kubelet.go newCrashLoopBackOff. */
function restartBackOff(maximum: string | undefined, featureGates: FeatureGates): Readonly<Record<string, number>> {
  const reduced = featureGates.enabled('ReduceDefaultCrashLoopBackOffDecay');
  const limit = featureGates.enabled('KubeletCrashLoopBackOffMax') ? maximum : undefined;
  const firstMs = reduced ? reducedFirstPauseMs : usualFirstPauseMs;
  const longestMs = limit !== undefined ? durationToMs(limit) : reduced ? reducedLongestPauseMs : undefined;
  if (longestMs === undefined) return {};
  return {
    containerRestartBackOffMaxMs: longestMs,
    ...((reduced || longestMs < firstMs) && { containerRestartBackOffInitialMs: Math.min(firstMs, longestMs) }),
  };
}
