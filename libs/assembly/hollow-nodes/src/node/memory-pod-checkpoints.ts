import type { Logger } from '@podwright/logging';
import type { PodCheckpointPart, PodCheckpoints } from '@podwright/pod-checkpoint-interface';

/** {@link PodCheckpoints} in memory. It outlives the kubelets of its node, as a disk would. */
export class MemoryPodCheckpoints implements PodCheckpoints {
  private readonly kept = new Map<string, Map<string, unknown>>();

  constructor(private readonly logger: Logger) {}

  async start(): Promise<void> {
    // Nothing to read.
  }

  async stop(): Promise<void> {
    // Nothing is pending.
  }

  read<T>(podUid: string, { name, decode }: PodCheckpointPart<T>): T | undefined {
    const value = this.kept.get(podUid)?.get(name);
    if (value === undefined) return undefined;
    try {
      return decode(structuredClone(value));
    } catch (error) {
      this.logger.warn('A part of a checkpoint cannot be decoded, it counts as absent', { podUid, part: name, error });
      return undefined;
    }
  }

  async write<T>(podUid: string, { name }: PodCheckpointPart<T>, value: T | undefined): Promise<void> {
    const parts = this.kept.get(podUid);
    if (value === undefined) {
      parts?.delete(name);
      if (parts?.size === 0) this.kept.delete(podUid);
      return;
    }
    // As through a file: what the caller changes later is not what it wrote, and a field without a value is none.
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (parts === undefined) this.kept.set(podUid, new Map([[name, copy]]));
    else parts.set(name, copy);
  }

  async remove(podUid: string): Promise<void> {
    this.kept.delete(podUid);
  }

  podUids(): readonly string[] {
    return [...this.kept.keys()];
  }
}
