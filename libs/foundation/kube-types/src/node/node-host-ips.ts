import { canonicalIp, ipFamily } from '../names/ip-address.js';
import type { Node } from '../objects.js';

/**
 * The node's addresses for `status.hostIPs` of its pods, the primary one first: internal before external addresses, at
 * most one of each IP family, in Go's notation. Empty when the node's status has none. Source: kubernetes v1.36
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

/** Upstream's error text when {@link nodeHostIps} is empty: `host IP unknown; known addresses: [...]`. */
export function unknownHostIp({ status }: Node): string {
  const known = (status?.addresses ?? []).map(({ type, address }) => `{${type} ${address}}`);
  return `host IP unknown; known addresses: [${known.join(' ')}]`;
}
