import { ipFamily, type Pod, type PodStatus } from '@podwright/kube-types';

type Addresses = Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'>;

export interface AddressFacts {
  /** Addresses from the runtime; empty before the sandbox is ready, and always on the host network. */
  readonly sandboxIps: readonly string[];
  /** Addresses of the Node: none, one, or one of each family. Always none without an API server, as upstream. */
  readonly hostIps: readonly string[];
  readonly primaryFamily: 4 | 6;
}

/**
 * Host and pod addresses of a status: the Node's as they are; for the pod one of each family, the primary family first.
 * A pod on the host network has the Node's addresses; it keeps those that it has and may gain a second family. Source:
 * kubernetes v1.36 pkg/kubelet/kubelet_pods.go generateAPIPodStatus, sortPodIPs.
 */
export function podAddresses(pod: Pod, { sandboxIps, hostIps, primaryFamily }: AddressFacts): Addresses {
  const own = onePerFamily(sandboxIps, primaryFamily);
  const podIps = pod.spec.hostNetwork === true ? withHostIps(own, hostIps) : own;
  return {
    ...(hostIps[0] !== undefined && { hostIP: hostIps[0], hostIPs: hostIps.map((ip) => ({ ip })) }),
    ...(podIps[0] !== undefined && { podIP: podIps[0], podIPs: podIps.map((ip) => ({ ip })) }),
  };
}

function withHostIps(own: readonly string[], hostIps: readonly string[]): readonly string[] {
  const [only, ...more] = own;
  if (only === undefined) return hostIps;
  const second = hostIps[1];
  const joins = more.length === 0 && second !== undefined && ipFamily(second) !== ipFamily(only);
  return joins ? [only, second] : own;
}

function onePerFamily(ips: readonly string[], primary: 4 | 6): readonly string[] {
  const families = primary === 6 ? [6, 4] : [4, 6];
  return families.flatMap((family) => ips.find((ip) => ipFamily(ip) === family) ?? []);
}
