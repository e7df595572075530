import { POD_MEMORY, type PodMemory } from '@podwright/pod-memory-interface';
import type { ProbeKind, ProbeResult, ProbeResults, ProbeUpdate } from '@podwright/probe-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { inject, injectable } from 'tsyringe';
import { bareContainerId } from './container-id.js';
import {
  rememberedKinds,
  rememberedResultsPart,
  type RememberedKind,
  type RememberedResult,
} from './remembered-results.js';

/** Whose result it is. `containerId` as the status shows it, with its runtime prefix. */
export interface ResultOwner {
  readonly podUid: string;
  readonly container: string;
  readonly containerId: string;
}

type ContainerResults = Partial<Record<RememberedKind, RememberedResult>>;

/**
 * {@link ProbeResults}, and the only writer of them. A result that has to outlive the process is on the disk before
 * anybody hears of it, and in the status manager before a listener does.
 * Source: kubernetes v1.36 pkg/kubelet/prober/results/results_manager.go.
 */
@injectable()
export class ProbeResultStore implements ProbeResults {
  private readonly results: Readonly<Record<ProbeKind, Map<string, ProbeResult>>> = {
    liveness: new Map(),
    readiness: new Map(),
    startup: new Map(),
  };
  /** What the pod memory holds, by pod and container. */
  private readonly kept = new Map<string, Map<string, ContainerResults>>();
  private readonly listeners = new Set<(update: ProbeUpdate) => void>();

  constructor(
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(POD_MEMORY) private readonly memory: PodMemory,
  ) {}

  /** Takes over what an earlier process knew; statuses show it from the first one on. Once, before anything is set. */
  load(): void {
    for (const podUid of this.memory.podUids()) {
      const remembered = this.memory.recall(podUid, rememberedResultsPart);
      if (remembered === undefined) continue;
      for (const [container, results] of Object.entries(remembered)) {
        for (const kind of rememberedKinds) {
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

  /** Resolves when everybody knows. Nothing is told when the signal aborts before that, or when nothing changes. */
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
    if (kind === 'readiness') this.statuses.setContainerReadiness(owner.podUid, owner.containerId, good);
    if (kind === 'startup') this.statuses.setContainerStartup(owner.podUid, owner.containerId, good);
    for (const listener of [...this.listeners]) listener({ kind, podUid: owner.podUid, containerId: id, result });
  }

  /** Removes what is known of containers of this name, but for the container with this id. */
  keepOnly(kind: ProbeKind, { podUid, container, containerId }: ResultOwner): void {
    if (kind === 'liveness') return;
    const found = this.kept.get(podUid)?.get(container)?.[kind];
    if (found !== undefined && found.containerId !== bareContainerId(containerId)) {
      this.remove(kind, { podUid, container, containerId: found.containerId });
    }
  }

  /** Removes one result. Nobody is told. */
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

  /** Removes what is known of pods that are not in the set, also from an earlier process. */
  retain(podUids: ReadonlySet<string>): void {
    for (const podUid of [...this.kept.keys()]) if (!podUids.has(podUid)) this.removePod(podUid);
  }

  removePod(podUid: string): void {
    const containers = this.kept.get(podUid);
    if (containers === undefined) return;
    this.kept.delete(podUid);
    for (const results of containers.values()) {
      for (const kind of rememberedKinds) this.results[kind].delete(results[kind]?.containerId ?? '');
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
      return this.memory.keep(podUid, rememberedResultsPart, undefined);
    }
    const value = Object.fromEntries([...containers].map(([name, results]) => [name, { ...results }]));
    return this.memory.keep(podUid, rememberedResultsPart, value);
  }
}
