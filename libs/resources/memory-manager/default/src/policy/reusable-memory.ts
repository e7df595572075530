import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { MemoryBlock } from '@podwright/memory-manager-interface';

const keyOf = (numaNodes: readonly number[], resource: string): string => `${numaNodes.join()}/${resource}`;

/** Memory of init containers, which end before later containers of their pod run; remembers one pod only. */
export class ReusableMemory {
  private podUid: string | undefined;
  private amounts = new Map<string, number>();

  of(uid: string, numaNodes: readonly number[], resource: string): number {
    return uid === this.podUid ? (this.amounts.get(keyOf(numaNodes, resource)) ?? 0) : 0;
  }

  /** A sidecar keeps running, so it uses up reusable memory as a regular container does. */
  update(pod: Pod, container: Container, blocks: readonly MemoryBlock[]): void {
    const uid = podUid(pod);
    if (uid !== this.podUid) this.amounts = new Map();
    this.podUid = uid;
    const init = pod.spec.initContainers?.find(({ name }) => name === container.name);
    const ends = init !== undefined && !isSidecar(init);
    for (const { numaNodes, type, bytes } of blocks) {
      const key = keyOf(numaNodes, type);
      const before = this.amounts.get(key) ?? 0;
      this.amounts.set(key, ends ? Math.max(before, bytes) : Math.max(0, before - bytes));
    }
  }
}
