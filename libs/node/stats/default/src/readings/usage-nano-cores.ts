import type { ContainerStats } from '@podwright/cri-client-interface';
import { numberOf } from './from-cri.js';

interface Known {
  readonly timestampNs: bigint;
  readonly usageNs: bigint;
  readonly usageNanoCores: number | undefined;
}

const keptNs = 600_000_000_000n;

/**
 * Nanocores of containers whose runtime tells the sum alone: from one reading to the next. Source: kubernetes v1.36
 * pkg/kubelet/stats/cri_stats_provider.go getAndUpdateContainerUsageNanoCores, cleanupOutdatedCaches.
 */
export class UsageNanoCores {
  private readonly containers = new Map<string, Known>();

  /** What the runtime says, else what is known from earlier readings. */
  get({ attributes, cpu }: ContainerStats): number | undefined {
    return numberOf(cpu?.usageNanoCores) ?? this.containers.get(attributes?.id ?? '')?.usageNanoCores;
  }

  /** The same, with this reading taken into account. */
  update({ attributes, cpu }: ContainerStats): number | undefined {
    if (attributes === undefined || cpu === undefined) return undefined;
    if (cpu.usageNanoCores !== undefined) return Number(cpu.usageNanoCores.value);
    if (cpu.usageCoreNanoSeconds === undefined) return undefined;
    const usageNs = cpu.usageCoreNanoSeconds.value;
    const known = this.containers.get(attributes.id);
    if (known === undefined || usageNs < known.usageNs) {
      this.containers.set(attributes.id, { timestampNs: cpu.timestamp, usageNs, usageNanoCores: undefined });
      return undefined;
    }
    const passedNs = cpu.timestamp - known.timestampNs;
    // The runtime answers from a cache of its own: nothing new to reckon with.
    if (passedNs <= 0n) return known.usageNanoCores;
    const usageNanoCores = Math.trunc((Number(usageNs - known.usageNs) / Number(passedNs)) * 1e9);
    this.containers.set(attributes.id, { timestampNs: cpu.timestamp, usageNs, usageNanoCores });
    return usageNanoCores;
  }

  /** Forgets containers whose last reading is older than ten minutes. */
  forgetOld(nowMs: number): void {
    const oldest = BigInt(Math.trunc(nowMs)) * 1_000_000n - keptNs;
    for (const [id, { timestampNs }] of this.containers) if (timestampNs < oldest) this.containers.delete(id);
  }
}
