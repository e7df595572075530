import { ipFamily } from '@podwright/kube-types';

/**
 * At most one address of each family; the family of the first `--node-ip` comes first, IPv4 when there is none. CNI
 * plugins report addresses in any order, and pods must not notice. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * sortPodIPs.
 */
export function orderPodIps(podIps: readonly string[], nodeIps: readonly string[]): readonly string[] {
  const first = ipFamily(nodeIps[0] ?? '') === 6 ? 6 : 4;
  const families = first === 4 ? [4, 6] : [6, 4];
  return families.flatMap((family) => podIps.find((ip) => ipFamily(ip) === family) ?? []);
}
