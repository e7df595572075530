import type { ContainerStats } from '@podwright/cri-client-interface';
import { numberOf } from './from-cri.js';

interface Known {
  readonly timestampNs: bigint;
  readonly usageNs: bigint;
  readonly usageNanoCores: number | undefined;
}

const keptNs = 600_000_000_000n;

/**
 * CPU rates of containers whose runtime reports only the total, computed between two readings. Source: kubernetes v1.36
 * pkg/kubelet/stats/cri_stats_provider.go getAndUpdateContainerUsageNanoCores, cleanupOutdatedCaches.
 */
export class UsageNanoCores {
  private readonly containers = new Map<string, Known>();

  /** The rate that the runtime reports, else the last computed one. */
  get({ attributes, cpu }: ContainerStats): number | undefined {
    return numberOf(cpu?.usageNanoCores) ?? this.containers.get(attributes?.id ?? '')?.usageNanoCores;
  }

  /** As `get`, after taking this reading into account. */
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
    // The runtime answered from its own cache: the reading is not new.
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
