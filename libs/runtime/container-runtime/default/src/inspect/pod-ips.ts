import { isIP } from 'node:net';
import type { PodSandboxStatus } from '@podwright/cri-client-interface';
import { NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';

/**
 * IPs of the newest sandbox, the primary one first; empty when one of them is not a valid IP. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_sandbox.go determinePodSandboxIPs.
 */
export function podIps(newest: PodSandboxStatus | undefined): readonly string[] {
  if (newest === undefined || newest.state !== PodSandboxState.SANDBOX_READY) return [];
  if (newest.linux?.namespaces?.options?.network === NamespaceMode.NODE) return [];
  return sandboxIps(newest);
}

/** IPs that the sandbox reports, in any state. */
export function sandboxIps({ network }: PodSandboxStatus): readonly string[] {
  if (network === undefined) return [];
  const primary = network.ip === '' ? [] : [network.ip];
  const ips = [...primary, ...network.additionalIps.map(({ ip }) => ip)];
  return ips.every(isIpSloppy) ? ips : [];
}

/** As Go's old parser: accepts leading zeros, rejects zones. */
function isIpSloppy(text: string): boolean {
  return isIP(text.replace(/(^|\.)0+(?=\d)/g, '$1')) !== 0 && !text.includes('%');
}
