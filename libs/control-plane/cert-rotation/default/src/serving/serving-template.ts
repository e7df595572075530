import { isIP, isIPv6 } from 'node:net';
import type { NodeAddress } from '@podwright/kube-types';
import { nodeTemplate, type CertificateTemplate } from '../request/certificate-template.js';

/**
 * Host names and IP addresses of the node; sorted, without duplicates. A host name that is an IP address counts as one.
 * Source: kubernetes v1.36 pkg/kubelet/certificate/kubelet.go addressesToHostnamesAndIPs.
 */
export function namesOf(addresses: readonly NodeAddress[]): Pick<CertificateTemplate, 'dnsNames' | 'ipAddresses'> {
  const [dnsNames, ipAddresses] = [new Set<string>(), new Set<string>()];
  for (const { type, address } of addresses) {
    if (address === '') continue;
    const isAddress = isIP(address) !== 0;
    if (type === 'Hostname') (isAddress ? ipAddresses : dnsNames).add(isAddress ? canonical(address) : address);
    if ((type === 'InternalIP' || type === 'ExternalIP') && isAddress) ipAddresses.add(canonical(address));
    if (type === 'InternalDNS' || type === 'ExternalDNS') dnsNames.add(address);
  }
  return { dnsNames: [...dnsNames].sort(), ipAddresses: [...ipAddresses].sort() };
}

/**
 * What the serving certificate must contain; undefined while the node has no IP address. `dnsOnly`: a name suffices,
 * gate AllowDNSOnlyNodeCSR. Source: as {@link namesOf}, newGetTemplateFn.
 */
export function servingTemplate(
  nodeName: string,
  addresses: readonly NodeAddress[],
  dnsOnly: boolean,
): CertificateTemplate | undefined {
  const names = namesOf(addresses);
  const enough = names.ipAddresses.length > 0 || (dnsOnly && names.dnsNames.length > 0);
  return enough ? { ...nodeTemplate(nodeName), ...names } : undefined;
}

// The form that certificates use: `fd00:0::1` and `FD00::1` are one address.
function canonical(address: string): string {
  return isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
