import { canonicalIp, ipFamily, type Node } from '@podwright/kube-types';

/**
 * Addresses of the node for `status.hostIPs` of its pods, the primary one first: internal before external ones, one of each
 * family, written as Go does. Empty when the node shows none. Pure. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/node/util/address.go GetNodeHostIPs.
 */
export function nodeHostIps({ status }: Node): readonly string[] {
  const addresses = status?.addresses ?? [];
  const ofType = (wanted: string): readonly string[] =>
    addresses.flatMap(({ type, address }) => (type === wanted ? (canonicalIp(address) ?? []) : []));
  const [first, ...others] = [...ofType('InternalIP'), ...ofType('ExternalIP')];
  if (first === undefined) return [];
  const second = others.find((ip) => ipFamily(ip) !== ipFamily(first));
  return second === undefined ? [first] : [first, second];
}

/**
 * The text of upstream's error about a node without such addresses, "host IP unknown; known addresses: [...]".
 */
export function unknownHostIp({ status }: Node): string {
  const known = (status?.addresses ?? []).map(({ type, address }) => `{${type} ${address}}`);
  return `host IP unknown; known addresses: [${known.join(' ')}]`;
}
