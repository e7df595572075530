import { notYetEffective, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/** Fields of the KubeletConfiguration that a part of this kubelet honours; a path covers everything below it. */
const honoured: ReadonlySet<string> = new Set([
  'address',
  'cgroupDriver',
  'cgroupRoot',
  'cgroupsPerQOS',
  'clusterDNS',
  'clusterDomain',
  'containerRuntimeEndpoint',
  'cpuCFSQuota',
  'cpuCFSQuotaPeriod',
  'crashLoopBackOff',
  'failCgroupV1',
  'featureGates',
  'fileCheckFrequency',
  'healthzBindAddress',
  'healthzPort',
  'httpCheckFrequency',
  'imageServiceEndpoint',
  'logging.format',
  'logging.verbosity',
  'logging.vmodule',
  'maxParallelImagePulls',
  'mergeDefaultEvictionSettings',
  'podLogsDir',
  'readOnlyPort',
  'registryBurst',
  'registryPullQPS',
  'resolvConf',
  'runOnce',
  'runtimeRequestTimeout',
  'seccompDefault',
  'serializeImagePulls',
  'singleProcessOOMKill',
  'staticPodPath',
  'staticPodURL',
  'staticPodURLHeader',
  'syncFrequency',
]);

// Switched off, these ask for nothing: there is no such server, check or manager to switch off.
const offIsHonoured: ReadonlySet<string> = new Set([
  'enableServer',
  'failSwapOn',
  'registerNode',
  'localStorageCapacityIsolation',
]);

/** Fields that were set to something else than the default and that no part honours. */
export function inertFields(configuration: KubeletConfiguration): readonly string[] {
  return notYetEffective(configuration, honoured).filter((field) => !offIsHonoured.has(field));
}
