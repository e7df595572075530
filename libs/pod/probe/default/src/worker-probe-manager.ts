import {
  isSidecar,
  podUid,
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  type Probe,
} from '@podwright/kube-types';
import type { ProbeKind, ProbeManager } from '@podwright/probe-interface';
import { AttemptPacer } from './attempt-pacer.js';
import { probedStatus } from './probe-target-status.js';
import type { ProbeConfig } from './probe-config.js';
import { ProbeWorker, type ProbeWorkerDeps } from './probe-worker.js';
import { withContainerFlags } from './results/container-flags.js';
import { startedBeforeKubelet } from './results/started-before-kubelet.js';

// In upstream's order: as upstream, the first existing worker ends the creation of workers.
const kinds: readonly ProbeKind[] = ['startup', 'readiness', 'liveness'];
const termination: readonly ProbeKind[] = ['liveness', 'startup'];

/** Workers of one pod by container and kind. */
interface PodWorkers {
  readonly workers: Map<string, ProbeWorker>;
  /** Ids of containers that will not run again, by the key of the worker that detected it. */
  readonly ended: Map<string, string>;
}

/** {@link ProbeManager} with one `ProbeWorker` per pod, container and kind of probe. */
export class WorkerProbeManager implements ProbeManager {
  private readonly pods = new Map<string, PodWorkers>();
  private readonly working = new Set<Promise<void>>();
  private readonly deps: ProbeWorkerDeps;
  /** By the monotonic clock. */
  private startedAt = Number.NEGATIVE_INFINITY;
  private stopped = false;

  constructor(
    deps: Omit<ProbeWorkerDeps, 'pacer'>,
    private readonly config: ProbeConfig,
  ) {
    this.deps = { ...deps, pacer: new AttemptPacer(deps.clock) };
  }

  async start(): Promise<void> {
    this.startedAt = this.deps.clock.monotonic();
    if (!this.config.changeStatusOnRestart) this.deps.results.load();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    const workers = [...this.pods.values()].flatMap((entry) => [...entry.workers.values()]);
    for (const entry of this.pods.values()) entry.workers.clear();
    for (const worker of workers) worker.stop({ forget: false });
    this.pods.clear();
    await Promise.all(this.working);
  }

  addPod(pod: Pod): void {
    if (this.stopped) return;
    const uid = podUid(pod);
    const entry: PodWorkers = this.pods.get(uid) ?? { workers: new Map(), ended: new Map() };
    this.pods.set(uid, entry);
    for (const container of probedContainers(pod)) {
      for (const kind of kinds) {
        const probe = probeOf(container, kind);
        if (probe === undefined) continue;
        const key = keyOf(container.name, kind);
        if (entry.workers.has(key)) return;
        if (!this.hasEnded(pod, container, entry.ended.get(key))) this.employ(entry, key, pod, container, kind, probe);
      }
    }
  }

  stopLivenessAndStartup(pod: Pod): void {
    for (const { name } of pod.spec.containers) for (const kind of termination) this.dismiss(podUid(pod), name, kind);
  }

  removePod(pod: Pod): void {
    this.forget(podUid(pod));
  }

  cleanupPods(podUids: ReadonlySet<string>): void {
    for (const uid of [...this.pods.keys()]) if (!podUids.has(uid)) this.forget(uid);
    this.deps.results.retain(podUids);
  }

  withProbeResults(pod: Pod, status: PodStatus): PodStatus {
    const { results } = this.deps;
    const entry = this.pods.get(podUid(pod));
    return withContainerFlags(
      {
        pod,
        results,
        kubeletStartedAtMs: this.startedAtMs(),
        keepsStarted: !this.config.changeStatusOnRestart,
        isProbed: (container, kind, one) => this.isProbed(entry, pod, container, kind, one),
        triggerReadiness: (name) => entry?.workers.get(keyOf(name, 'readiness'))?.trigger(),
      },
      status,
    );
  }

  // Follows the wall clock when that is set: after it was set back, new containers would look older than the kubelet.
  // Minus infinity: no container counts as one of an earlier kubelet.
  private startedAtMs(): number {
    const { clock } = this.deps;
    if (this.config.changeStatusOnRestart) return Number.NEGATIVE_INFINITY;
    return clock.now() - (clock.monotonic() - this.startedAt);
  }

  // Before its first addPod, a pod has no workers. A container with a probe must not be shown as ready just because of
  // that: its status would flip after a restart of the kubelet.
  private isProbed(
    entry: PodWorkers | undefined,
    pod: Pod,
    container: Container,
    kind: ProbeKind,
    status: ContainerStatus,
  ): boolean {
    if (entry !== undefined) return entry.workers.has(keyOf(container.name, kind));
    if (startedBeforeKubelet(status, this.startedAtMs())) return false;
    return probeOf(container, kind) !== undefined && probedContainers(pod).includes(container);
  }

  private employ(entry: PodWorkers, key: string, pod: Pod, container: Container, kind: ProbeKind, probe: Probe): void {
    const periodMs = (probe.periodSeconds ?? 10) * 1000;
    const worker = new ProbeWorker(this.deps, {
      pod,
      container,
      kind,
      probe,
      kubeletStartedAtMs: () => this.startedAtMs(),
      kubeletIsYoung: this.deps.clock.monotonic() - this.startedAt < periodMs,
    });
    entry.workers.set(key, worker);
    const work = worker.work().then(() => {
      this.working.delete(work);
      if (entry.workers.get(key) !== worker) return;
      entry.workers.delete(key);
      entry.ended.set(key, worker.lastContainerId);
      worker.stop({ forget: true });
    });
    this.working.add(work);
  }

  // Such a worker would end at once, and the result that it sets would trigger a sync, which creates it again.
  private hasEnded(pod: Pod, container: Container, endedId: string | undefined): boolean {
    if (endedId === undefined || endedId === '') return false;
    const status = this.deps.statuses.getPodStatus(podUid(pod));
    return status !== undefined && probedStatus(status, container.name)?.containerID === endedId;
  }

  private dismiss(uid: string, container: string, kind: ProbeKind): void {
    const workers = this.pods.get(uid)?.workers;
    const key = keyOf(container, kind);
    const worker = workers?.get(key);
    workers?.delete(key);
    worker?.stop({ forget: true });
  }

  private forget(uid: string): void {
    const entry = this.pods.get(uid);
    this.pods.delete(uid);
    for (const worker of entry?.workers.values() ?? []) worker.stop({ forget: true });
    this.deps.results.removePod(uid);
  }
}

function probedContainers({ spec }: Pod): readonly Container[] {
  return [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
}

function probeOf({ startupProbe, readinessProbe, livenessProbe }: Container, kind: ProbeKind): Probe | undefined {
  return { startup: startupProbe, readiness: readinessProbe, liveness: livenessProbe }[kind];
}

// Names of containers contain no slash.
function keyOf(container: string, kind: ProbeKind): string {
  return `${kind}/${container}`;
}
