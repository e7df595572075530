import path from 'node:path';
import { ChangeWriter, createCheckpointStore, type CheckpointStore } from '@podwright/checkpoint';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MemoryBlock } from '@podwright/memory-manager-interface';
import {
  memoryCheckpointFormats,
  memoryStateFile,
  type CheckpointBlock,
  type CheckpointNode,
  type MemoryCheckpoint,
} from './memory-checkpoint.js';
import type { MachineMemory, NodeMemory } from './machine-memory.js';
import { MemoryState } from './memory-state.js';

export interface MemoryStateFileOptions {
  readonly rootDir: string;
  readonly policy: string;
  /** Gate PodLevelResourceManagers. */
  readonly podLevel: boolean;
}

/**
 * Keeps the state in `memory_manager_state`. As upstream, it only logs a failed write; the next change writes
 * everything again. Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/state/state_checkpoint.go.
 */
export class MemoryStateFile {
  private readonly store: CheckpointStore;
  private readonly writer = new ChangeWriter(() => this.write());
  private current: MemoryState | undefined;

  constructor(
    private readonly options: MemoryStateFileOptions,
    private readonly logger: Logger,
  ) {
    this.store = createCheckpointStore(options.rootDir);
  }

  /**
   * Reads the file of an earlier kubelet, or writes a first one. Rejects with `data-loss` for a broken file and
   * `failed-precondition` for a file of another policy; the message says which file to delete.
   */
  async restore(): Promise<MemoryState> {
    try {
      await this.store.removeLeftovers(memoryStateFile);
      const checkpoint = await this.load();
      let isRestored = checkpoint === undefined;
      const state = new MemoryState(() => {
        if (isRestored) this.writer.changed();
      });
      this.current = state;
      if (checkpoint === undefined) this.writer.changed();
      else this.fill(state, checkpoint);
      isRestored = true;
      await this.writer.flushed();
      return state;
    } catch (error) {
      const file = path.join(this.options.rootDir, memoryStateFile);
      throw new KubeletError(
        `could not restore state from checkpoint: ${messageOf(error)}, please drain this node and delete the memory manager checkpoint file ${JSON.stringify(file)} before restarting Kubelet`,
        { code: KubeletError.from(error).code, cause: error },
      );
    }
  }

  /** Resolves when all changes so far are on disk or their write has failed. */
  flushed(): Promise<void> {
    return this.writer.flushed();
  }

  private async write(): Promise<void> {
    if (this.current === undefined) return;
    const format = this.options.podLevel ? memoryCheckpointFormats.v2 : memoryCheckpointFormats.v1;
    await this.store.writeChecked(memoryStateFile, this.contentOf(this.current), format).catch((error: unknown) => {
      this.logger.error('Failed to save the checkpoint of the memory manager', { file: memoryStateFile, error });
    });
  }

  private contentOf(state: MemoryState): MemoryCheckpoint {
    const entries = [...state.assignments()].map(
      ([pod, containers]) =>
        [pod, Object.fromEntries([...containers].map(([name, blocks]) => [name, blocks.map(toFile)]))] as const,
    );
    const pods = [...state.podBlocks()].map(([pod, blocks]) => [pod, { memoryBlocks: blocks.map(toFile) }] as const);
    return {
      policyName: this.options.policy,
      machineState: Object.fromEntries([...state.machine].map(([id, node]) => [id, nodeToFile(node)])),
      entries: Object.fromEntries(entries),
      ...(this.options.podLevel && { podEntries: Object.fromEntries(pods) }),
    };
  }

  private async load(): Promise<MemoryCheckpoint | undefined> {
    const { v1, v2 } = memoryCheckpointFormats;
    try {
      if (!this.options.podLevel) return await this.store.readChecked<MemoryCheckpoint>(memoryStateFile, v1);
      try {
        return await this.store.readChecked<MemoryCheckpoint>(memoryStateFile, v2);
      } catch (error) {
        if (hasCode(error, 'not-found')) return undefined;
        this.logger.debug(2, 'The checkpoint is not of this version', { file: memoryStateFile, error });
        return await this.store.readChecked<MemoryCheckpoint>(memoryStateFile, v1);
      }
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  private fill(state: MemoryState, { policyName, machineState, entries, podEntries = {} }: MemoryCheckpoint): void {
    if (policyName !== this.options.policy)
      throw new KubeletError(
        `[memorymanager] configured policy ${JSON.stringify(this.options.policy)} differs from state checkpoint policy ${JSON.stringify(policyName)}`,
        { code: 'failed-precondition' },
      );
    state.machine = machineOf(machineState);
    for (const [pod, containers] of Object.entries(entries))
      for (const [container, blocks] of Object.entries(containers)) state.set(pod, container, blocks.map(fromFile));
    for (const [pod, { memoryBlocks = [] }] of Object.entries(podEntries))
      state.setPod(pod, memoryBlocks.map(fromFile));
  }
}

const toFile = ({ numaNodes, type, bytes }: MemoryBlock): CheckpointBlock => ({
  numaAffinity: numaNodes,
  type,
  size: bytes,
});

const fromFile = ({ numaAffinity, type, size }: CheckpointBlock): MemoryBlock => ({
  numaNodes: numaAffinity ?? [],
  type,
  bytes: size,
});

const nodeToFile = ({ numberOfAssignments, memoryMap, cells }: NodeMemory): CheckpointNode => ({
  numberOfAssignments,
  memoryMap: Object.fromEntries([...memoryMap].map(([name, memory]) => [name, { ...memory }])),
  cells,
});

function machineOf(nodes: MemoryCheckpoint['machineState']): MachineMemory {
  return new Map(
    Object.entries(nodes)
      .map(([id, { numberOfAssignments, memoryMap, cells }]) => {
        const tables = Object.entries(memoryMap).map(([name, memory]) => [name, { ...memory }] as const);
        return [Number(id), { numberOfAssignments, memoryMap: new Map(tables), cells: cells ?? [] }] as const;
      })
      .sort(([a], [b]) => a - b),
  );
}
