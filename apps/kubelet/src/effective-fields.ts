import { notYetEffective, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/** Since which version of this app a field of the KubeletConfiguration steers a part; a path covers everything below it. */
export const steeringFields: Readonly<Record<string, string>> = since('0.1.0', [
  'address',
  'allowedUnsafeSysctls',
  'cgroupDriver',
  'cgroupRoot',
  'cgroupsPerQOS',
  'clusterDNS',
  'clusterDomain',
  'containerRuntimeEndpoint',
  'cpuCFSQuota',
  'cpuCFSQuotaPeriod',
  'crashLoopBackOff.maxContainerRestartPeriod',
  'fileCheckFrequency',
  'healthzBindAddress',
  'healthzPort',
  'httpCheckFrequency',
  'imageServiceEndpoint',
  'kubeReserved',
  'localStorageCapacityIsolation',
  'logging.format',
  'logging.verbosity',
  'logging.vmodule',
  'maxParallelImagePulls',
  'maxPods',
  'podLogsDir',
  'podPidsLimit',
  'podsPerCore',
  'readOnlyPort',
  'registerWithTaints',
  'registryBurst',
  'registryPullQPS',
  'reservedSystemCPUs',
  'resolvConf',
  'runtimeRequestTimeout',
  'seccompDefault',
  'serializeImagePulls',
  'shutdownGracePeriod',
  'shutdownGracePeriodByPodPriority',
  'shutdownGracePeriodCriticalPods',
  'singleProcessOOMKill',
  'staticPodPath',
  'staticPodURL',
  'staticPodURLHeader',
  'syncFrequency',
  'systemReserved',
  'userNamespaces.idsPerPod',
]);

/** Fields that have done their work when the configuration has been read: they decide what is valid or a default. */
export const readingFields: Readonly<Record<string, string>> = since('0.1.0', [
  'failCgroupV1',
  'featureGates',
  'mergeDefaultEvictionSettings',
  'runOnce',
]);

// Switched off, these ask for nothing: there is no such server, check or manager to switch off.
const offIsHonoured: ReadonlySet<string> = new Set(['enableServer', 'failSwapOn', 'registerNode']);

const honoured: ReadonlySet<string> = new Set([...Object.keys(steeringFields), ...Object.keys(readingFields)]);

/** Fields that were set to something else than the default and that no part honours. */
export function inertFields(configuration: KubeletConfiguration): readonly string[] {
  return notYetEffective(configuration, honoured).filter((field) => !offIsHonoured.has(field));
}

function since(version: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, version]));
}
