import type { ProbeKind, ProbeResult, ProbeResults, ProbeUpdate } from '@podwright/probe-interface';
import type { ProbeNeeds } from '../probe-needs.js';
import { bareContainerId } from './container-id.js';
import {
  checkpointedKinds,
  checkpointedResultsPart,
  type CheckpointedKind,
  type CheckpointedResult,
} from './checkpointed-results.js';

/** The container of a result. `containerId` with its runtime prefix, as in the status. */
export interface ResultOwner {
  readonly podUid: string;
  readonly container: string;
  readonly containerId: string;
}

type ContainerResults = Partial<Record<CheckpointedKind, CheckpointedResult>>;

/**
 * {@link ProbeResults} and their only writer. A result that must survive a restart is on disk before anyone is
 * notified, and in the status manager before listeners are called.
 * Source: kubernetes v1.36 pkg/kubelet/prober/results/results_manager.go.
 */
export class ProbeResultStore implements ProbeResults {
  private readonly results: Readonly<Record<ProbeKind, Map<string, ProbeResult>>> = {
    liveness: new Map(),
    readiness: new Map(),
    startup: new Map(),
  };
  /** The content of the checkpoints, by pod and container. */
  private readonly kept = new Map<string, Map<string, ContainerResults>>();
  private readonly listeners = new Set<(update: ProbeUpdate) => void>();

  constructor(private readonly deps: Pick<ProbeNeeds, 'statuses' | 'checkpoints'>) {}

  /**
   * Loads the results of an earlier kubelet, so that statuses show them from the start. Call it once, before any `set`.
   */
  load(): void {
    for (const podUid of this.deps.checkpoints.podUids()) {
      const checkpoint = this.deps.checkpoints.read(podUid, checkpointedResultsPart);
      if (checkpoint === undefined) continue;
      for (const [container, results] of Object.entries(checkpoint)) {
        for (const kind of checkpointedKinds) {
          const found = results?.[kind];
          if (found === undefined) continue;
          this.keptOf(podUid, container)[kind] = found;
          this.results[kind].set(found.containerId, found.result);
        }
      }
    }
  }

  get(kind: ProbeKind, containerId: string): ProbeResult | undefined {
    return this.results[kind].get(containerId);
  }

  watch(listener: (update: ProbeUpdate) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when all are notified. Notifies nobody when the signal aborts before that, or when nothing changes. */
  async set(kind: ProbeKind, owner: ResultOwner, result: ProbeResult, signal: AbortSignal): Promise<void> {
    const id = bareContainerId(owner.containerId);
    if (this.results[kind].get(id) === result) return;
    if (kind !== 'liveness') {
      this.keptOf(owner.podUid, owner.container)[kind] = { containerId: id, result };
      await this.keep(owner.podUid);
      if (signal.aborted) return;
    }
    this.results[kind].set(id, result);
    const good = result === 'success';
    if (kind === 'readiness') this.deps.statuses.setContainerReadiness(owner.podUid, owner.containerId, good);
    if (kind === 'startup') this.deps.statuses.setContainerStartup(owner.podUid, owner.containerId, good);
    for (const listener of [...this.listeners]) listener({ kind, podUid: owner.podUid, containerId: id, result });
  }

  /** Removes the results of containers with this name, except for the container with this id. */
  keepOnly(kind: ProbeKind, { podUid, container, containerId }: ResultOwner): void {
    if (kind === 'liveness') return;
    const found = this.kept.get(podUid)?.get(container)?.[kind];
    if (found !== undefined && found.containerId !== bareContainerId(containerId)) {
      this.remove(kind, { podUid, container, containerId: found.containerId });
    }
  }

  /** Removes one result, without notification. */
  remove(kind: ProbeKind, { podUid, container, containerId }: ResultOwner): void {
    const id = bareContainerId(containerId);
    this.results[kind].delete(id);
    const containers = this.kept.get(podUid);
    const results = containers?.get(container);
    if (kind === 'liveness' || results?.[kind]?.containerId !== id) return;
    delete results[kind];
    if (Object.keys(results).length === 0) containers?.delete(container);
    void this.keep(podUid);
  }

  /** Removes the results of pods that are not in the set, including those from an earlier kubelet. */
  retain(podUids: ReadonlySet<string>): void {
    for (const podUid of [...this.kept.keys()]) if (!podUids.has(podUid)) this.removePod(podUid);
  }

  removePod(podUid: string): void {
    const containers = this.kept.get(podUid);
    if (containers === undefined) return;
    this.kept.delete(podUid);
    for (const results of containers.values()) {
      for (const kind of checkpointedKinds) this.results[kind].delete(results[kind]?.containerId ?? '');
    }
    void this.keep(podUid);
  }

  private keptOf(podUid: string, container: string): ContainerResults {
    const containers = this.kept.get(podUid) ?? new Map<string, ContainerResults>();
    this.kept.set(podUid, containers);
    const results = containers.get(container) ?? {};
    containers.set(container, results);
    return results;
  }

  private keep(podUid: string): Promise<void> {
    const containers = this.kept.get(podUid);
    if (containers === undefined || containers.size === 0) {
      this.kept.delete(podUid);
      return this.deps.checkpoints.write(podUid, checkpointedResultsPart, undefined);
    }
    const value = Object.fromEntries([...containers].map(([name, results]) => [name, { ...results }]));
    return this.deps.checkpoints.write(podUid, checkpointedResultsPart, value);
  }
}
