import { CLOCK, LOGGER, METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { JOURNAL } from '@podwright/journal-interface';
import {
  isStaticPod,
  podRef,
  podUid,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  withReadiness,
} from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { type StatusDelivery, type StatusManager } from '@podwright/status-interface';
import { formatRfc3339 } from '@podwright/time';
import { illegalTransition } from './container-transition.js';
import { normalizeStatus, stampConditions } from './normalize-status.js';
import { sameStatus } from './same-status.js';
import { startObserver, terminationCounter } from './status-metrics.js';
import { reportChange } from './status-reports.js';
import type { StatusKeeping } from './status-keeping.js';
import { restoredStatus, storedStatus, storedStatusPart } from './stored-status.js';
import { terminateStatus } from './terminate-status.js';
import type { StatusTable, VersionedStatus } from './versioned-status.js';

type Listener = Parameters<StatusManager['watch']>[0];

export const statusNeeds = needs({
  pods: POD_MANAGER,
  checkpoints: POD_CHECKPOINTS,
  clock: CLOCK,
  logger: LOGGER,
  metrics: optional(METRICS),
  journal: optional(JOURNAL),
});
export type StatusNeeds = Needs<typeof statusNeeds>;

/**
 * {@link StatusManager} that keeps the statuses of this node's pods in memory. Checkpoints those that nothing else can
 * restore, so that they survive a restart. Sends nothing itself.
 */
export class PodStatusManager implements StatusManager, StatusDelivery, StatusTable {
  private readonly statuses = new Map<string, VersionedStatus>();
  private readonly listeners = new Set<Listener>();
  private readonly countTerminations: ReturnType<typeof terminationCounter>;
  private readonly observeStart: ReturnType<typeof startObserver>;

  constructor(
    private readonly deps: StatusNeeds,
    private readonly keeping: StatusKeeping,
  ) {
    const registry = deps.metrics ?? createMetricsRegistry();
    this.countTerminations = terminationCounter(registry);
    this.observeStart = startObserver(registry);
  }

  async start(): Promise<void> {
    for (const uid of this.deps.checkpoints.podUids()) {
      const stored = this.deps.checkpoints.read(uid, storedStatusPart);
      const status = stored && restoredStatus(stored);
      if (stored === undefined || status === undefined) continue;
      const { staticPod } = stored;
      // The first accepted status brings name and namespace; nothing is sent before.
      this.statuses.set(uid, { status, version: 0, namespace: '', name: '', staticPod, finished: false });
    }
  }

  async stop(): Promise<void> {
    this.listeners.clear();
  }

  getPodStatus(uid: string): PodStatus | undefined {
    return this.statuses.get(this.deps.pods.translatePodUid(uid))?.status;
  }

  entry(uid: string): VersionedStatus | undefined {
    return this.statuses.get(uid);
  }

  entries(): ReadonlyMap<string, VersionedStatus> {
    return this.statuses;
  }

  drop(uid: string): void {
    if (this.statuses.delete(uid)) void this.deps.checkpoints.write(uid, storedStatusPart, undefined);
  }

  setPodStatus(pod: Pod, status: PodStatus): void {
    const uid = podUid(pod);
    const known = this.statuses.get(uid);
    const previous = known?.status ?? this.deps.pods.getMirrorPodOf(pod)?.status ?? pod.status ?? {};
    const refused = illegalTransition(pod, previous, status);
    if (refused !== undefined) {
      this.deps.logger.error('Status update on pod aborted', { pod: podRef(pod), reason: refused });
      return;
    }
    this.countTerminations(previous, status);
    this.observeStart(pod, known?.status, status, this.deps.clock.now());
    const now = this.timestamp();
    const next = normalizeStatus(pod, {
      ...status,
      ...observedGeneration(pod, previous, status),
      startTime: previous.startTime ?? status.startTime ?? now,
      ...(status.conditions && { conditions: [...stampConditions(status.conditions, previous.conditions ?? [], now)] }),
    });
    // It is unknown whether the last status of an earlier kubelet was reported.
    const told = known !== undefined && known.version > 0;
    if (told && sameStatus(known.status, next) && pod.metadata.deletionTimestamp === undefined) return;
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
    const status = this.statuses.get(uid)?.status ?? pod.status ?? {};
    const ended = terminateStatus(pod, status);
    this.countTerminations(status, ended);
    this.store(pod, ended, true);
  }

  removeOrphanedStatuses(podUids: ReadonlySet<string>): void {
    for (const uid of this.statuses.keys()) {
      if (!podUids.has(uid)) this.drop(uid);
    }
  }

  // Writes again, because the checkpoint then resolves only when the status is on disk.
  async delivered(podUids: readonly string[], signal: AbortSignal): Promise<void> {
    const written = podUids.map(async (mirrorOrPodUid) => {
      const uid = this.deps.pods.translatePodUid(mirrorOrPodUid);
      const stored = this.deps.checkpoints.read(uid, storedStatusPart);
      if (stored !== undefined) await this.deps.checkpoints.write(uid, storedStatusPart, stored);
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
    const uid = this.deps.pods.translatePodUid(mirrorOrPodUid);
    const pod = this.deps.pods.getPodByUid(uid);
    const status = this.statuses.get(uid)?.status;
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

  private store(pod: Pod, status: PodStatus, finished = false): void {
    const uid = podUid(pod);
    const known = this.statuses.get(uid);
    const staticPod = isStaticPod(pod);
    reportChange(this.deps.journal, pod, known?.status, status);
    this.statuses.set(uid, {
      status,
      version: (known?.version ?? 0) + 1,
      namespace: pod.metadata.namespace ?? '',
      name: pod.metadata.name ?? '',
      staticPod,
      // A static pod may start again with the same UID.
      finished: finished || (known?.finished === true && !staticPod),
    });
    if (this.keeping.keeps(pod, status))
      void this.deps.checkpoints.write(uid, storedStatusPart, storedStatus(pod, status));
    for (const listener of this.listeners) listener(uid, status, { pod, ended: finished });
  }

  private timestamp(): string {
    return formatRfc3339(this.deps.clock.now());
  }
}

// A late sync of an older spec must not lower the observed generation.
function observedGeneration(
  { metadata }: Pod,
  previous: PodStatus,
  next: PodStatus,
): Pick<PodStatus, 'observedGeneration'> {
  const seen = next.observedGeneration ?? metadata.generation ?? 0;
  const newest = Math.max(previous.observedGeneration ?? 0, seen);
  return newest > 0 ? { observedGeneration: newest } : {};
}
