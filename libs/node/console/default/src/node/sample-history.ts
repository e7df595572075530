import type { ConsoleSample, PodUse } from '@podwright/console-interface';
import { historyMs } from '../history-window.js';

const mostSamples = 300;
// Beyond that, a snapshot of a node of many pods would hold up the event loop while it becomes JSON.
const mostPodUses = 6_000;
const none = Number.NaN;

/** A sample whose pods take 16 bytes each. */
interface Packed {
  readonly node: Omit<ConsoleSample, 'pods'>;
  readonly uids: readonly string[];
  /** CPU and memory of each, one after the other. */
  readonly uses: Float64Array;
}

/** The samples of the last ten minutes. */
export class SampleHistory {
  private readonly packed: Packed[] = [];

  add({ pods, ...node }: ConsoleSample): void {
    const uses = Float64Array.from(
      pods.flatMap(({ cpuNanoCores = none, memoryWorkingSetBytes = none }) => [cpuNanoCores, memoryWorkingSetBytes]),
    );
    this.packed.push({ node, uids: this.sharedUids(pods), uses });
    if (this.packed.length > mostSamples) this.packed.shift();
  }

  clear(): void {
    this.packed.length = 0;
  }

  /** Oldest first. On a node of many pods only each second, third, ... one has them, the newest always. */
  list(nowMs: number): readonly ConsoleSample[] {
    const seen = this.packed.filter(({ node }) => node.atMs > nowMs - historyMs);
    const uses = seen.reduce((sum, { uids }) => sum + uids.length, 0);
    const each = Math.max(1, Math.ceil(uses / mostPodUses));
    return seen.map((packed, index) => ({
      ...packed.node,
      pods: (seen.length - 1 - index) % each === 0 ? unpack(packed) : [],
    }));
  }

  /** The pods of two samples are nearly always the same, in the same order. */
  private sharedUids(pods: readonly PodUse[]): readonly string[] {
    const before = this.packed.at(-1)?.uids;
    const isSame = before?.length === pods.length && pods.every(({ uid }, index) => uid === before[index]);
    return isSame ? before : pods.map(({ uid }) => uid);
  }
}

function unpack({ uids, uses }: Packed): readonly PodUse[] {
  return uids.map((uid, index) => {
    const [cpu = none, memory = none] = uses.subarray(2 * index, 2 * index + 2);
    return {
      uid,
      ...(!Number.isNaN(cpu) && { cpuNanoCores: cpu }),
      ...(!Number.isNaN(memory) && { memoryWorkingSetBytes: memory }),
    };
  });
}
