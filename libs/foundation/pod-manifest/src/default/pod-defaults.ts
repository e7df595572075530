import type { Pod, PodSpec } from '@podwright/kube-types';
import { defaultContainer, defaultEphemeralContainer, hostPortsFromContainerPorts } from './container-defaults.js';
import { defaultPodRules, type PodRules } from '../validate/pod-rules.js';
import { defaultPodLevelResources, roundResources } from './resource-defaults.js';
import { defaultVolume } from './volume-defaults.js';

type DefaultingRules = Pick<PodRules, 'podLevelResources'>;

/** The default time between SIGTERM and SIGKILL in seconds. */
export const defaultTerminationGracePeriodSeconds = 30;

/**
 * Returns the pod with the defaults that the API server sets in a new Pod. It does not change the argument, but shares
 * its parts. Applying it twice has no further effect. Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go.
 */
export function defaultPod(pod: Pod, { podLevelResources }: DefaultingRules = defaultPodRules): Pod {
  return { ...pod, spec: defaultPodLevelResources(defaultPodSpec(pod.spec), podLevelResources) };
}

function defaultPodSpec(spec: PodSpec): PodSpec {
  const hostNetwork = spec.hostNetwork === true;
  const containers = spec.containers.map((container) => defaultContainer(container));
  const initContainers = spec.initContainers?.map((container) => defaultContainer(container));
  return {
    ...spec,
    containers: hostNetwork ? containers.map(hostPortsFromContainerPorts) : containers,
    ...(initContainers && {
      initContainers: hostNetwork ? initContainers.map(hostPortsFromContainerPorts) : initContainers,
    }),
    ...(spec.ephemeralContainers && { ephemeralContainers: spec.ephemeralContainers.map(defaultEphemeralContainer) }),
    ...(spec.volumes && { volumes: spec.volumes.map(defaultVolume) }),
    ...(spec.overhead && { overhead: roundResources(spec.overhead) }),
    // `serviceAccount` is the old name of the field; both get the same value, as the API's internal version has only
    // one.
    ...serviceAccount(spec),
    restartPolicy: spec.restartPolicy || 'Always',
    dnsPolicy: spec.dnsPolicy || 'ClusterFirst',
    schedulerName: spec.schedulerName || 'default-scheduler',
    securityContext: spec.securityContext ?? {},
    terminationGracePeriodSeconds: gracePeriod(spec.terminationGracePeriodSeconds),
    enableServiceLinks: spec.enableServiceLinks ?? true,
  };
}

/** A negative one is 1, as pkg/apis/core/v1/conversion.go has it. */
function gracePeriod(seconds: number | undefined): number {
  return seconds === undefined ? defaultTerminationGracePeriodSeconds : seconds < 0 ? 1 : seconds;
}

function serviceAccount(spec: PodSpec): Pick<PodSpec, 'serviceAccountName' | 'serviceAccount'> {
  const name = spec.serviceAccountName || spec.serviceAccount;
  return name ? { serviceAccountName: name, serviceAccount: name } : {};
}
