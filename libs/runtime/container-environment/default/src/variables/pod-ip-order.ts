import { ipFamily } from '@podwright/kube-types';

/**
 * One address of each family, first that of the first of `--node-ip` (IPv4 without any): CNI plugins answer in any order,
 * pods shall not see that. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go sortPodIPs.
 */
export function orderPodIps(podIps: readonly string[], nodeIps: readonly string[]): readonly string[] {
  const first = ipFamily(nodeIps[0] ?? '') === 6 ? 6 : 4;
  const families = first === 4 ? [4, 6] : [6, 4];
  return families.flatMap((family) => podIps.find((ip) => ipFamily(ip) === family) ?? []);
}
