import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { podRef, podUid, type ContainerStatus, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { POD_MEMORY, type PodMemory } from '@podwright/pod-memory-interface';
import { withReadiness, type StatusDelivery, type StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { illegalTransition } from './container-transition.js';
import { normalizeStatus, stampConditions } from './normalize-status.js';
import { sameStatus } from './same-status.js';
import { restoredStatus, storedStatus, storedStatusPart } from './stored-status.js';
import { terminateStatus } from './terminate-status.js';

type Listener = (podUid: string, status: PodStatus) => void;

/**
 * {@link StatusManager} that keeps the statuses of this node's pods in memory and in what is remembered of each pod, so
 * that they go on after a restart; nothing is sent to an API server.
 */
@injectable()
export class PodStatusManager implements StatusManager, StatusDelivery {
  private readonly statuses = new Map<string, PodStatus>();
  /** UIDs whose status an earlier process accepted: whether anybody has heard of it is not known. */
  private readonly restored = new Set<string>();
  private readonly listeners = new Set<Listener>();

  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_MEMORY) private readonly memory: PodMemory,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    for (const uid of this.memory.podUids()) {
      const stored = this.memory.recall(uid, storedStatusPart);
      const status = stored && restoredStatus(stored);
      if (status === undefined) continue;
      this.statuses.set(uid, status);
      this.restored.add(uid);
    }
  }

  async stop(): Promise<void> {
    this.listeners.clear();
  }

  getPodStatus(uid: string): PodStatus | undefined {
    return this.statuses.get(this.pods.translatePodUid(uid));
  }

  setPodStatus(pod: Pod, status: PodStatus): void {
    const uid = podUid(pod);
    const cached = this.statuses.get(uid);
    const previous = cached ?? this.pods.getMirrorPodOf(pod)?.status ?? pod.status ?? {};
    const refused = illegalTransition(pod, previous, status);
    if (refused !== undefined) {
      this.logger.error('Status update on pod aborted', { pod: podRef(pod), reason: refused });
      return;
    }
    const now = this.timestamp();
    const next = normalizeStatus(pod, {
      ...status,
      ...observedGeneration(previous, status),
      startTime: previous.startTime ?? status.startTime ?? now,
      ...(status.conditions && { conditions: [...stampConditions(status.conditions, previous.conditions ?? [], now)] }),
    });
    const known = cached !== undefined && !this.restored.has(uid);
    if (known && sameStatus(cached, next) && pod.metadata.deletionTimestamp === undefined) return;
    this.store(pod, next);
  }

  setContainerReadiness(uid: string, containerId: string, ready: boolean): void {
    this.updateContainer(
      uid,
      containerId,
      (container) => (container.ready === ready ? undefined : { ...container, ready }),
      true,
    );
  }

  setContainerStartup(uid: string, containerId: string, started: boolean): void {
    this.updateContainer(
      uid,
      containerId,
      (container) => (container.started === started ? undefined : { ...container, started }),
      false,
    );
  }

  terminatePod(pod: Pod): void {
    const uid = podUid(pod);
    const status = this.statuses.get(uid) ?? pod.status ?? {};
    this.store(pod, terminateStatus(pod, status));
  }

  removeOrphanedStatuses(podUids: ReadonlySet<string>): void {
    for (const uid of this.statuses.keys()) {
      if (podUids.has(uid)) continue;
      this.statuses.delete(uid);
      this.restored.delete(uid);
      void this.memory.keep(uid, storedStatusPart, undefined);
    }
  }

  // Kept once more: the memory knows what it has written of it, and answers when that is on the disk.
  async delivered(podUids: readonly string[], signal: AbortSignal): Promise<void> {
    const written = podUids.map(async (mirrorOrPodUid) => {
      const uid = this.pods.translatePodUid(mirrorOrPodUid);
      const stored = this.memory.recall(uid, storedStatusPart);
      if (stored !== undefined) await this.memory.keep(uid, storedStatusPart, stored);
    });
    await abortable(Promise.all(written), signal);
  }

  watch(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private updateContainer(
    mirrorOrPodUid: string,
    containerId: string,
    change: (container: ContainerStatus) => ContainerStatus | undefined,
    readiness: boolean,
  ): void {
    const uid = this.pods.translatePodUid(mirrorOrPodUid);
    const pod = this.pods.getPodByUid(uid);
    const status = this.statuses.get(uid);
    if (pod === undefined || status === undefined) return;
    let changed = false;
    const apply = (container: ContainerStatus): ContainerStatus => {
      const next = container.containerID === containerId ? change(container) : undefined;
      changed ||= next !== undefined;
      return next ?? container;
    };
    const next: PodStatus = {
      ...status,
      ...(status.containerStatuses && { containerStatuses: status.containerStatuses.map(apply) }),
      ...(status.initContainerStatuses && { initContainerStatuses: status.initContainerStatuses.map(apply) }),
    };
    if (!changed) return;
    const full = readiness ? withReadiness(pod, next) : next;
    this.store(pod, {
      ...full,
      conditions: [...stampConditions(full.conditions ?? [], status.conditions ?? [], this.timestamp())],
    });
  }

  private store(pod: Pod, status: PodStatus): void {
    const uid = podUid(pod);
    this.statuses.set(uid, status);
    this.restored.delete(uid);
    void this.memory.keep(uid, storedStatusPart, storedStatus(pod, status));
    for (const listener of this.listeners) listener(uid, status);
  }

  private timestamp(): string {
    return new Date(this.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}

// A late sync of an older spec must not make it look as if the newer one had not been seen.
function observedGeneration(previous: PodStatus, next: PodStatus): Pick<PodStatus, 'observedGeneration'> {
  const newest = Math.max(previous.observedGeneration ?? 0, next.observedGeneration ?? 0);
  return newest > 0 ? { observedGeneration: newest } : {};
}

export interface PodStatusManagerDeps {
  readonly pods: PodManager;
  readonly memory: PodMemory;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without DI. */
export function createPodStatusManager(deps: PodStatusManagerDeps): StatusManager & StatusDelivery {
  const { pods, memory, clock, logger } = deps;
  return new PodStatusManager(pods, memory, clock, logger);
}
