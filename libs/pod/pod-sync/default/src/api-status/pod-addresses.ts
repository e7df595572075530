import { isIPv6 } from 'node:net';
import type { Pod, PodStatus } from '@podwright/kube-types';

type Addresses = Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'>;

/**
 * Host and pod addresses of a status: at most two of the host, one of each family for the pod, the node's primary family
 * first; pods of the host network have the host's. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go generateAPIPodStatus.
 */
export function podAddresses(pod: Pod, sandboxIps: readonly string[], nodeIps: readonly string[]): Addresses {
  const hostIps = nodeIps.slice(0, 2);
  const podIps = pod.spec.hostNetwork === true ? ofTheHost(hostIps) : onePerFamily(sandboxIps, hostIps[0]);
  return {
    ...(hostIps[0] !== undefined && { hostIP: hostIps[0], hostIPs: hostIps.map((ip) => ({ ip })) }),
    ...(podIps[0] !== undefined && { podIP: podIps[0], podIPs: podIps.map((ip) => ({ ip })) }),
  };
}

// The second address only counts when it is of the other family.
function ofTheHost([first, second]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return second === undefined || isIPv6(first) === isIPv6(second) ? [first] : [first, second];
}

function onePerFamily(ips: readonly string[], primary: string | undefined): readonly string[] {
  const v4 = ips.find((ip) => !isIPv6(ip));
  const v6 = ips.find((ip) => isIPv6(ip));
  const ordered = primary !== undefined && isIPv6(primary) ? [v6, v4] : [v4, v6];
  return ordered.filter((ip) => ip !== undefined);
}
