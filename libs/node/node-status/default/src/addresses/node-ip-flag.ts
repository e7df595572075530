import { canonicalIp, ipFamily } from '@podwright/kube-types';
import { ipKind } from './ip-kind.js';

export interface NodeIps {
  /** Canonical: none, one, or one of each family. `0.0.0.0` or `::` alone only prefers a family. */
  readonly nodeIps: readonly string[];
  /** Parts that are not addresses; upstream logs and ignores them. */
  readonly invalid: readonly string[];
  /** Why the addresses cannot be combined. */
  readonly fault?: string;
}

/**
 * Parses the value of `--node-ip`. Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/node/util/ips.go
 * ParseNodeIPArgument.
 */
export function parseNodeIps(text: string): NodeIps {
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  const nodeIps = parts.flatMap((part) => canonicalIp(part) ?? []);
  const invalid = parts.filter((part) => canonicalIp(part) === undefined);
  const fault = faultOf(nodeIps);
  return { nodeIps, invalid, ...(fault !== undefined && { fault }) };
}

function faultOf(nodeIps: readonly string[]): string | undefined {
  if (nodeIps.length < 2) return undefined;
  const [first = '', second = ''] = nodeIps;
  if (nodeIps.length > 2 || ipFamily(first) === ipFamily(second)) {
    return 'must contain either a single IP or a dual-stack pair of IPs';
  }
  if (nodeIps.some((address) => ipKind(address).unspecified)) {
    return "dual-stack node IP cannot include '0.0.0.0' or '::'";
  }
  return undefined;
}
