import path from 'node:path';
import { ChangeWriter, createCheckpointStore, type CheckpointStore } from '@podwright/checkpoint';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { parseCpuList } from '@podwright/kubelet-configuration';
import type { Logger } from '@podwright/logging';
import { formatCpuList, type CpuSet } from '@podwright/machine';
import { CpuState } from './cpu-state.js';
import { cpuCheckpointFormats, cpuStateFile, type CpuCheckpoint, type CpuCheckpointV1 } from './cpu-checkpoint.js';

/** Finds the owner of a container id; undefined when the runtime does not know the id. */
export type ContainerOwner = (
  containerId: string,
) => { readonly podUid: string; readonly container: string } | undefined;

export interface CpuStateFileOptions {
  readonly rootDir: string;
  readonly policy: string;
  /** Gate PodLevelResourceManagers. */
  readonly podLevel: boolean;
}

/**
 * Keeps the state in `cpu_manager_state`. Combines changes of one turn into one write. As upstream, it only logs a
 * failed write; the next change writes everything again. Source: kubernetes v1.36
 * pkg/kubelet/cm/cpumanager/state/state_checkpoint.go.
 */
export class CpuStateFile {
  private readonly store: CheckpointStore;
  private current: CpuState | undefined;
  private readonly writer = new ChangeWriter(() => this.write());

  constructor(
    private readonly options: CpuStateFileOptions,
    private readonly logger: Logger,
  ) {
    this.store = createCheckpointStore(options.rootDir);
  }

  /**
   * Reads the file of an earlier kubelet, or writes a first one. Rejects with `data-loss` for a broken file and
   * `failed-precondition` for a file of another policy; the message says which file to delete.
   */
  async restore(initialContainers: () => Promise<ContainerOwner>): Promise<CpuState> {
    try {
      await this.store.removeLeftovers(cpuStateFile);
      const checkpoint = await this.load(initialContainers);
      if (checkpoint === undefined) {
        this.current = new CpuState([], () => this.writer.changed());
        this.writer.changed();
        await this.flushed();
        return this.current;
      }
      return (this.current = this.stateOf(checkpoint));
    } catch (error) {
      const file = path.join(this.options.rootDir, cpuStateFile);
      throw new KubeletError(
        `could not restore state from checkpoint: ${messageOf(error)}, please drain this node and delete the CPU manager checkpoint file ${JSON.stringify(file)} before restarting Kubelet`,
        { code: KubeletError.from(error).code, cause: error },
      );
    }
  }

  /** Resolves when all changes so far are on disk or their write has failed. */
  async flushed(): Promise<void> {
    await this.writer.flushed();
  }

  private async write(): Promise<void> {
    if (this.current === undefined) return;
    const content = this.contentOf(this.current);
    const format = this.options.podLevel ? cpuCheckpointFormats.v3 : cpuCheckpointFormats.v2;
    await this.store.writeChecked(cpuStateFile, content, format).catch((error: unknown) => {
      this.logger.error('Failed to save the checkpoint of the CPU manager', { file: cpuStateFile, error });
    });
  }

  private contentOf(state: CpuState): CpuCheckpoint {
    const entries = [...state.assignments()].map(([pod, containers]) => [
      pod,
      Object.fromEntries([...containers].map(([container, cpus]) => [container, formatCpuList(cpus)])),
    ]);
    const podEntries = [...state.podSets()].map(([pod, cpus]) => [pod, { cpuSet: formatCpuList(cpus) }]);
    return {
      policyName: this.options.policy,
      defaultCpuSet: formatCpuList(state.shared),
      entries: Object.fromEntries(entries) as CpuCheckpoint['entries'],
      ...(this.options.podLevel && { podEntries: Object.fromEntries(podEntries) as CpuCheckpoint['podEntries'] }),
    } as CpuCheckpoint;
  }

  private async load(initialContainers: () => Promise<ContainerOwner>): Promise<CpuCheckpoint | undefined> {
    const { v1, v2, v3 } = cpuCheckpointFormats;
    let newest: unknown;
    for (const format of this.options.podLevel ? [v3, v2] : [v2]) {
      try {
        return await this.store.readChecked<CpuCheckpoint>(cpuStateFile, format);
      } catch (error) {
        if (hasCode(error, 'not-found')) return undefined;
        newest ??= error;
        this.logger.debug(2, 'The checkpoint is not of this version', { file: cpuStateFile, error });
      }
    }
    const old = await this.store.readChecked<CpuCheckpointV1>(cpuStateFile, v1).catch((error: unknown) => {
      this.logger.debug(2, 'The checkpoint is not of this version', { file: cpuStateFile, error });
      throw newest; // a current file with a wrong checksum fails here as well, with an error that does not help
    });
    return migrate(old, Object.keys(old.entries).length === 0 ? () => undefined : await initialContainers());
  }

  private stateOf(checkpoint: CpuCheckpoint): CpuState {
    const { policyName, defaultCpuSet, entries, podEntries = {} } = checkpoint;
    if (policyName !== this.options.policy)
      throw new KubeletError(
        `configured policy ${JSON.stringify(this.options.policy)} differs from state checkpoint policy ${JSON.stringify(policyName)}`,
        { code: 'failed-precondition' },
      );
    const shared = parsed(defaultCpuSet, `could not parse default cpu set ${JSON.stringify(defaultCpuSet)}`);
    let isRestored = false;
    const state = new CpuState(shared, () => {
      if (isRestored) this.writer.changed();
    });
    for (const [pod, containers] of Object.entries(entries))
      for (const [container, list] of Object.entries(containers)) {
        const [cpus, name, uid] = [list, container, pod].map((text) => JSON.stringify(text));
        state.set(pod, container, parsed(list, `could not parse cpuset ${cpus} for container ${name} in pod ${uid}`));
      }
    for (const [pod, { cpuSet }] of Object.entries(podEntries)) state.setPod(pod, parseCpuList(cpuSet));
    isRestored = true;
    return state;
  }
}

function migrate(old: CpuCheckpointV1, ownerOf: ContainerOwner): CpuCheckpoint {
  const entries: Record<string, Record<string, string>> = {};
  for (const [containerId, cpus] of Object.entries(old.entries)) {
    const owner = ownerOf(containerId);
    if (owner === undefined)
      throw new KubeletError(
        `failed to migrate checkpoint from v1 to v2: containerID '${containerId}' not found in initial containers list`,
        { code: 'failed-precondition' },
      );
    (entries[owner.podUid] ??= {})[owner.container] = cpus;
  }
  return { ...old, entries };
}

function parsed(list: string, problem: string): CpuSet {
  try {
    return parseCpuList(list);
  } catch (error) {
    throw new KubeletError(`${problem}: ${messageOf(error)}`, { code: 'data-loss', cause: error });
  }
}
