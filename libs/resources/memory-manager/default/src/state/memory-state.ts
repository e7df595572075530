import type { MemoryBlock } from '@podwright/memory-manager-interface';
import type { MachineMemory } from './machine-memory.js';

export type BlocksByContainer = ReadonlyMap<string, readonly MemoryBlock[]>;

/**
 * Which containers have memory of which NUMA nodes. Source: kubernetes v1.36
 * pkg/kubelet/cm/memorymanager/state/state_mem.go.
 */
export class MemoryState {
  machine: MachineMemory = new Map();
  private readonly blocks = new Map<string, Map<string, readonly MemoryBlock[]>>();
  private readonly pods = new Map<string, readonly MemoryBlock[]>();

  constructor(readonly changed: () => void = () => undefined) {}

  of(podUid: string, container: string): readonly MemoryBlock[] | undefined {
    return this.blocks.get(podUid)?.get(container);
  }

  ofPod(podUid: string): readonly MemoryBlock[] | undefined {
    return this.pods.get(podUid);
  }

  assignments(): ReadonlyMap<string, BlocksByContainer> {
    return this.blocks;
  }

  podBlocks(): ReadonlyMap<string, readonly MemoryBlock[]> {
    return this.pods;
  }

  set(podUid: string, container: string, blocks: readonly MemoryBlock[]): void {
    let containers = this.blocks.get(podUid);
    if (containers === undefined) this.blocks.set(podUid, (containers = new Map()));
    containers.set(container, blocks);
    this.changed();
  }

  setPod(podUid: string, blocks: readonly MemoryBlock[]): void {
    this.pods.set(podUid, blocks);
    this.changed();
  }

  delete(podUid: string, container: string): void {
    const containers = this.blocks.get(podUid);
    if (containers?.delete(container) !== true) return;
    if (containers.size === 0) this.blocks.delete(podUid);
    this.changed();
  }

  deletePod(podUid: string): void {
    this.pods.delete(podUid);
    this.blocks.delete(podUid);
    this.changed();
  }
}
