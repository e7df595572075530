import {
  durationToMs,
  type FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
} from '@podwright/kubelet-configuration';
import { quantityToMilli } from '@podwright/kube-types';
import path from 'node:path';

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Options of the managers that give out CPUs and memory, and of the one that aligns them. */
export function exclusiveResourceOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  featureGates: FeatureGates,
): Options {
  const rootDir = path.resolve(flags.rootDir);
  const podLevelResourceManagers =
    featureGates.enabled('PodLevelResources') && featureGates.enabled('PodLevelResourceManagers');
  return {
    '@podwright/topology-manager': {
      policy: configuration.topologyManagerPolicy,
      scope: configuration.topologyManagerScope,
      policyOptions: configuration.topologyManagerPolicyOptions,
      podLevelResourceManagers,
    },
    '@podwright/cpu-manager': {
      rootDir,
      policy: configuration.cpuManagerPolicy,
      policyOptions: configuration.cpuManagerPolicyOptions,
      alphaOptions: featureGates.enabled('CPUManagerPolicyAlphaOptions'),
      betaOptions: featureGates.enabled('CPUManagerPolicyBetaOptions'),
      reconcilePeriodMs: durationToMs(configuration.cpuManagerReconcilePeriod),
      reservedSystemCpus: configuration.reservedSystemCPUs,
      reservedMilliCpu: reservedMilliCpu(configuration),
      topologyPolicy: configuration.topologyManagerPolicy,
      podLevelResourceManagers,
      disableQuota: featureGates.enabled('DisableCPUQuotaWithExclusiveCPUs'),
    },
  };
}

/** -1 when neither reservation names CPUs, which is another fault than a reservation of zero. */
function reservedMilliCpu({ kubeReserved, systemReserved }: KubeletConfiguration): number {
  const amounts = [kubeReserved?.['cpu'], systemReserved?.['cpu']].filter((amount) => amount !== undefined);
  if (amounts.length === 0) return -1;
  return amounts.reduce((sum, amount) => sum + quantityToMilli(amount), 0);
}
