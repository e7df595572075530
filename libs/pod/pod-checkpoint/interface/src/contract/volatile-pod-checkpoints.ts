import type { PodCheckpoints, PodCheckpointPart } from '../pod-checkpoints.js';

/**
 * {@link PodCheckpoints} in memory, for specs of managers that use them. `restarted()` gives what the next process
 * would find: the same content in a new instance.
 */
export class VolatilePodCheckpoints implements PodCheckpoints {
  /**
   * The calls of `write` and `remove`, oldest first: `<podUid> <part>`, `<podUid> -<part>` when `write` removes a part,
   * `<podUid> forgotten` for `remove`.
   */
  readonly calls: string[] = [];

  constructor(private readonly pods = new Map<string, Map<string, string>>()) {}

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  read<T>(podUid: string, part: PodCheckpointPart<T>): T | undefined {
    const json = this.pods.get(podUid)?.get(part.name);
    if (json === undefined) return undefined;
    try {
      return part.decode(JSON.parse(json));
    } catch {
      return undefined; // the owner cannot use it, so it counts as absent
    }
  }

  async write<T>(podUid: string, part: PodCheckpointPart<T>, value: T | undefined): Promise<void> {
    this.calls.push(`${podUid} ${value === undefined ? '-' : ''}${part.name}`);
    const parts = this.pods.get(podUid) ?? new Map<string, string>();
    if (value === undefined) parts.delete(part.name);
    else parts.set(part.name, JSON.stringify(value));
    if (parts.size === 0) this.pods.delete(podUid);
    else this.pods.set(podUid, parts);
  }

  async remove(podUid: string): Promise<void> {
    this.calls.push(`${podUid} forgotten`);
    this.pods.delete(podUid);
  }

  podUids(): readonly string[] {
    return [...this.pods.keys()];
  }

  restarted(): VolatilePodCheckpoints {
    return new VolatilePodCheckpoints(new Map([...this.pods].map(([uid, parts]) => [uid, new Map(parts)])));
  }
}
