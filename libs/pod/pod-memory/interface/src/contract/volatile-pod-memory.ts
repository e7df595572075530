import type { PodMemory, PodMemoryPart } from '../pod-memory.js';

/**
 * {@link PodMemory} without a disk, for specs of managers that use one. `restarted()` is what a next process would find:
 * the same content in a new instance.
 */
export class VolatilePodMemory implements PodMemory {
  /** Calls of `keep` and `forget`, oldest first: `<podUid> <part>`, `<podUid> -<part>` for a removal, `<podUid> forgotten`. */
  readonly calls: string[] = [];

  constructor(private readonly pods = new Map<string, Map<string, string>>()) {}

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  recall<T>(podUid: string, part: PodMemoryPart<T>): T | undefined {
    const json = this.pods.get(podUid)?.get(part.name);
    if (json === undefined) return undefined;
    try {
      return part.decode(JSON.parse(json));
    } catch {
      return undefined; // the owner cannot use it, which is the same as none
    }
  }

  async keep<T>(podUid: string, part: PodMemoryPart<T>, value: T | undefined): Promise<void> {
    this.calls.push(`${podUid} ${value === undefined ? '-' : ''}${part.name}`);
    const parts = this.pods.get(podUid) ?? new Map<string, string>();
    if (value === undefined) parts.delete(part.name);
    else parts.set(part.name, JSON.stringify(value));
    if (parts.size === 0) this.pods.delete(podUid);
    else this.pods.set(podUid, parts);
  }

  async forget(podUid: string): Promise<void> {
    this.calls.push(`${podUid} forgotten`);
    this.pods.delete(podUid);
  }

  podUids(): readonly string[] {
    return [...this.pods.keys()];
  }

  restarted(): VolatilePodMemory {
    return new VolatilePodMemory(new Map([...this.pods].map(([uid, parts]) => [uid, new Map(parts)])));
  }
}
