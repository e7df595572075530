import type { Logger } from '@podwright/logging';
import type { Iptables } from './iptables.js';

const hintChain = 'KUBE-IPTABLES-HINT';
const firewallChain = 'KUBE-FIREWALL';

// kube-proxy makes the same rule, so it must stay word for word. It keeps other machines from the loopback addresses,
// which kube-proxy's `route_localnet` opens.
const dropMartians = [
  ...['-m', 'comment', '--comment', 'block incoming localnet connections'],
  ...['--dst', '127.0.0.0/8', '!', '--src', '127.0.0.0/8'],
  ...['-m', 'conntrack', '!', '--ctstate', 'RELATED,ESTABLISHED,DNAT'],
  ...['-j', 'DROP'],
];

/**
 * Makes the chains and rules that are missing; false when that fails. The hint shows other components whether the
 * machine uses the legacy or the nft iptables. Source: kubernetes v1.36 pkg/kubelet/kubelet_network_linux.go
 * syncIPTablesRules.
 */
export async function syncKubeletRules(iptables: Iptables, logger: Logger, signal: AbortSignal): Promise<boolean> {
  const jump = (chain: string) => ({ table: 'filter', chain, rule: ['-j', firewallChain] });
  const steps: readonly (readonly [failure: string, step: () => Promise<void>])[] = [
    ['Failed to ensure that iptables hint chain exists', () => iptables.ensureChain('mangle', hintChain, signal)],
    ...(iptables.protocol === 'IPv6'
      ? []
      : ([
          [
            'Failed to ensure that filter table KUBE-FIREWALL chain exists',
            () => iptables.ensureChain('filter', firewallChain, signal),
          ],
          [
            'Failed to ensure that OUTPUT chain jumps to KUBE-FIREWALL',
            () => iptables.ensureRule('-I', jump('OUTPUT'), signal),
          ],
          [
            'Failed to ensure that INPUT chain jumps to KUBE-FIREWALL',
            () => iptables.ensureRule('-I', jump('INPUT'), signal),
          ],
          [
            'Failed to ensure rule to drop invalid localhost packets in filter table KUBE-FIREWALL chain',
            () => iptables.ensureRule('-A', { table: 'filter', chain: firewallChain, rule: dropMartians }, signal),
          ],
        ] as const)),
  ];
  for (const [failure, step] of steps) {
    try {
      await step();
    } catch (error) {
      signal.throwIfAborted();
      logger.error(failure, { error });
      return false;
    }
  }
  return true;
}
