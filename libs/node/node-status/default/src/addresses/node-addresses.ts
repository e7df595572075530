import { KubeletError, messageOf } from '@podwright/errors';
import { canonicalIp, ipFamily, type NodeAddress } from '@podwright/kube-types';
import { defaultHostAddress } from './default-host-address.js';
import type { HostNetwork } from './host-network.js';
import type { InterfaceAddress } from './interface-addresses.js';
import { ipKind } from './ip-kind.js';

export interface AddressOptions {
  readonly nodeName: string;
  /** As `parseNodeIps` returns them. */
  readonly nodeIps: readonly string[];
  readonly externalCloudProvider: boolean;
}

/** Annotation with the addresses of `--node-ip`, for the external cloud provider. */
export const providedNodeIpAnnotation = 'alpha.kubernetes.io/provided-node-ip';

/** The addresses of `--node-ip`, without `0.0.0.0` and `::`, which only prefer a family. */
export function specifiedNodeIps(nodeIps: readonly string[]): readonly string[] {
  return nodeIps.filter((address) => !ipKind(address).unspecified);
}

/** Value of {@link providedNodeIpAnnotation}; undefined where the Node must not have it. */
export function providedNodeIps({ nodeIps, externalCloudProvider }: AddressOptions): string | undefined {
  const specified = specifiedNodeIps(nodeIps);
  return externalCloudProvider && specified.length > 0 ? specified.join(',') : undefined;
}

/**
 * Addresses for the status; `existing`: the current ones. Rejects with upstream's text when there is no address, or
 * `--node-ip` names one that this machine does not have. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go
 * NodeAddress.
 */
export async function nodeAddresses(
  options: AddressOptions,
  existing: readonly NodeAddress[],
  network: HostNetwork,
): Promise<readonly NodeAddress[]> {
  const { nodeName, nodeIps, externalCloudProvider } = options;
  const [first, second] = specifiedNodeIps(nodeIps);
  const own = await network.addresses();
  check(first, 'nodeIP', own);
  check(second, 'secondaryNodeIP', own);
  const hostname = { type: 'Hostname', address: nodeName };
  if (externalCloudProvider) {
    if (existing.length > 0) return existing;
    if (nodeIps.length === 0) return [hostname];
  }
  if (first !== undefined && second !== undefined) {
    return [{ type: 'InternalIP', address: first }, { type: 'InternalIP', address: second }, hostname];
  }
  return [{ type: 'InternalIP', address: first ?? (await findAddress(options, own, network)) }, hostname];
}

function check(address: string | undefined, what: string, own: readonly InterfaceAddress[]): void {
  const fault = address === undefined ? undefined : nodeIpFault(address, own);
  if (fault !== undefined) {
    throw new KubeletError(`failed to validate ${what}: ${fault}`, { code: 'failed-precondition' });
  }
}

/**
 * Why the address is not valid for a node that has its `own` addresses. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go
 * validateNodeIP.
 */
export function nodeIpFault(address: string, own: readonly InterfaceAddress[]): string | undefined {
  if (ipFamily(address) === 0) return 'nodeIP must be a valid IP address';
  const kind = ipKind(address);
  if (kind.loopback) return "nodeIP can't be loopback address";
  if (kind.multicast) return "nodeIP can't be a multicast address";
  if (kind.linkLocal) return "nodeIP can't be a link-local unicast address";
  if (kind.unspecified) return "nodeIP can't be an all zeros address";
  if (own.some((entry) => canonicalIp(entry.address) === canonicalIp(address))) return undefined;
  return `node IP: ${JSON.stringify(address)} not found in the host's network interfaces`;
}

/** Tries in this order: the node's name if it is an address, the resolver, the default route. */
async function findAddress(
  { nodeName, nodeIps }: AddressOptions,
  own: readonly InterfaceAddress[],
  network: HostNetwork,
): Promise<string> {
  const literal = canonicalIp(nodeName);
  if (literal !== undefined) return literal;
  const preferred = nodeIps[0] !== undefined && ipFamily(nodeIps[0]) === 6 ? 6 : 4;
  // A failed lookup is usual: nodes need no DNS name.
  const found = (await network.lookup(nodeName).catch(() => [])).filter(
    (address) => nodeIpFault(address, own) === undefined,
  );
  const chosen = found.find((address) => ipFamily(address) === preferred) ?? found[0];
  if (chosen !== undefined) return chosen;
  try {
    return await defaultHostAddress(network, preferred);
  } catch (error) {
    throw new KubeletError(`can't get ip address of node ${nodeName}. error: ${messageOf(error)}`, {
      code: 'not-found',
      cause: error,
    });
  }
}
