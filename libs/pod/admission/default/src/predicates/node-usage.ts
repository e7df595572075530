import type { Pod } from '@podwright/kube-types';
import { HostPortTable } from './host-ports.js';
import { takenBy, type Amounts, type PodShare, type ShareGates } from './pod-share.js';

/** The sum of what the node's pods use. */
export interface NodeUsage {
  readonly pods: number;
  readonly requested: Amounts;
  readonly hostPorts: HostPortTable;
}

/**
 * Sums what pods use. Caches the share of each pod, as pod objects never change: a hundred pods for each of a hundred
 * new ones cost additions only.
 */
export class UsageCounter {
  private readonly shares = new WeakMap<Pod, PodShare>();

  constructor(private readonly gates: ShareGates) {}

  usageOf(pods: readonly Pod[]): NodeUsage {
    const requested = new Map<string, bigint>();
    const hostPorts = new HostPortTable();
    for (const pod of pods) {
      const share = this.shareOf(pod);
      for (const [name, amount] of share.requests) requested.set(name, (requested.get(name) ?? 0n) + amount);
      for (const port of share.hostPorts) hostPorts.add(port);
    }
    return { pods: pods.length, requested, hostPorts };
  }

  private shareOf(pod: Pod): PodShare {
    const known = this.shares.get(pod);
    if (known !== undefined) return known;
    const share = takenBy(pod, this.gates);
    this.shares.set(pod, share);
    return share;
  }
}
