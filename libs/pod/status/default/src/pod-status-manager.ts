import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { podRef, podUid, type ContainerStatus, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { withReadiness, type StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { illegalTransition } from './container-transition.js';
import { normalizeStatus, stampConditions } from './normalize-status.js';
import { sameStatus } from './same-status.js';
import { terminateStatus } from './terminate-status.js';

type Listener = (podUid: string, status: PodStatus) => void;

/** {@link StatusManager} that keeps the statuses of this node's pods in memory; nothing is sent to an API server. */
@injectable()
export class PodStatusManager implements StatusManager {
  private readonly statuses = new Map<string, PodStatus>();
  private readonly listeners = new Set<Listener>();

  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {}

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
    if (cached !== undefined && sameStatus(cached, next) && pod.metadata.deletionTimestamp === undefined) return;
    this.store(uid, next);
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
    this.store(uid, terminateStatus(pod, status));
  }

  removeOrphanedStatuses(podUids: ReadonlySet<string>): void {
    for (const uid of this.statuses.keys()) if (!podUids.has(uid)) this.statuses.delete(uid);
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
    this.store(uid, {
      ...full,
      conditions: [...stampConditions(full.conditions ?? [], status.conditions ?? [], this.timestamp())],
    });
  }

  private store(uid: string, status: PodStatus): void {
    this.statuses.set(uid, status);
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
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without DI. */
export function createPodStatusManager({ pods, clock, logger }: PodStatusManagerDeps): StatusManager {
  return new PodStatusManager(pods, clock, logger);
}
