import type { Container, Pod } from '@podwright/kube-types';
import type { LoggedCall, SimulatedContainer } from '@podwright/simulated-runtime';
import { BrokenPromise } from './broken-promise.js';
import { asksForDevices } from './device-objects.js';
import { resourceClaimsOf } from './dra-objects.js';
import { isMirror, isSidecar, manifestName, runtimeUid, uidOf, type Scene } from './promises.js';

/** What containers must do at each instant. */
export class ContainerPromises {
  private readonly started = new Set<string>();
  private readonly finished = new Set<string>();
  /** Init containers that succeeded: `SANDBOX NAME`. */
  private readonly initialized = new Set<string>();
  private readonly sandboxes = new Map<string, Set<string>>();
  /** By `UID NAME`, of the image that it had last: how often it started, and whether it has succeeded. */
  private readonly runs = new Map<string, { readonly image: string; count: number; succeeded: boolean }>();
  /** Ephemeral containers that have started: `UID NAME`. */
  private readonly debugged = new Set<string>();
  private readonly specs = new Map<string, Pod>();
  /** When each pod was first seen to be deleted. */
  private readonly deletions = new Map<string, number>();
  /** By container, the first stop whose call has not failed so far. */
  private readonly stops = new Map<string, Stop>();
  /** Containers whose removal was asked for before they had started. */
  private readonly unstartedRemovals = new Set<string>();
  /** When each container was first there. */
  private readonly createdMs = new Map<string, number>();
  /** Stops without the grace of their pod, by its UID, of which the API server has not learned yet that it was refused. */
  private readonly unexplained = new Map<string, { readonly message: string; readonly bootedAtMs: number }>();
  private present: ReadonlySet<string> = new Set();
  private callsSeen = 0;

  constructor(private readonly scene: Scene) {}

  /** How many sandboxes the pod has had. */
  sandboxesOf = (uid: string): number => this.sandboxes.get(uid)?.size ?? 0;

  /** UIDs of all pods that there were. */
  pods = (): Iterable<string> => this.specs.keys();

  /** Whether a container runs of a pod that uses this resource claim. */
  runsWithClaim = (claim: string): boolean =>
    this.scene.runtime.control.containers().some((container) => {
      const pod = this.specs.get(uidOf(container));
      return container.running && pod !== undefined && resourceClaimsOf(pod).includes(claim);
    });

  /** One that was to be removed before it had started may start meanwhile; it ends by its removal. */
  hasEnded = (containerId: string): boolean =>
    this.finished.has(containerId) ||
    (this.unstartedRemovals.has(containerId) && this.scene.runtime.control.findContainer(containerId) === undefined);

  /** Whether the kubelet has asked for its stop. */
  wasStopped = (containerId: string): boolean => this.stops.has(containerId);

  /** What only the refusal of its pod would explain; empty when all is well. */
  unexplainedStops = (): readonly string[] => Array.from(this.unexplained.values(), ({ message }) => message);

  check(): void {
    const { runtime } = this.scene;
    const pods = this.scene.pods();
    for (const pod of pods) {
      const uid = runtimeUid(pod);
      this.specs.set(uid, pod);
      const ends = pod.metadata.deletionTimestamp !== undefined;
      if (ends && !this.deletions.has(uid)) this.deletions.set(uid, this.scene.nowMs());
    }
    this.present = new Set(pods.map(runtimeUid));
    this.readCalls();
    this.explainStops();
    const running = new Map<string, string>();
    for (const container of runtime.control.containers()) {
      if (!this.createdMs.has(container.id)) this.createdMs.set(container.id, this.scene.nowMs());
      if (container.startedAt > 0n && !this.started.has(container.id)) this.onStart(container);
      if (container.finishedAt > 0n && !this.finished.has(container.id)) this.onEnd(container);
      if (!container.running) continue;
      const key = `${uidOf(container)} ${container.name}`;
      if (running.has(key)) throw new BrokenPromise('no container runs twice', `two containers of ${key} run`);
      running.set(key, container.id);
    }
    for (const { podUid: uid, id } of runtime.control.sandboxes) {
      this.sandboxes.set(uid, (this.sandboxes.get(uid) ?? new Set()).add(id));
    }
    const ready = runtime.control.sandboxes.filter((sandbox) => sandbox.ready).map(({ podUid }) => podUid);
    const twice = ready.find((uid, index) => ready.indexOf(uid) !== index);
    if (twice !== undefined) throw new BrokenPromise('no sandbox runs twice', `two sandboxes of ${twice} run`);
  }

  private onStart(container: SimulatedContainer): void {
    this.started.add(container.id);
    const uid = uidOf(container);
    const pod = this.specs.get(uid);
    if (pod === undefined) return;
    const { initContainers = [], containers, restartPolicy } = pod.spec;
    const index = initContainers.findIndex(({ name }) => name === container.name);
    const before: readonly Container[] = index < 0 ? initContainers : initContainers.slice(0, index);
    const missing = before.find(
      (init) => !isSidecar(init) && !this.initialized.has(`${container.podSandboxId} ${init.name}`),
    );
    const who = `${container.name} of ${pod.metadata.name}`;
    if (pod.spec.ephemeralContainers?.some(({ name }) => name === container.name) === true) {
      const key = `${uid} ${container.name}`;
      if (this.debugged.has(key))
        throw new BrokenPromise('ephemeral containers start once', `${who} has started again`);
      this.debugged.add(key);
      return;
    }
    if (missing !== undefined) {
      throw new BrokenPromise('init containers come first', `${who} has started before ${missing.name} succeeded`);
    }
    if (!containers.some(({ name }) => name === container.name)) return;
    // Asked for by a kubelet that is gone, and done late. The next one removes it and makes another; upstream leaves it.
    if ((this.createdMs.get(container.id) ?? 0) < this.scene.kubelet.bootedAtMs) return;
    // A new image is a reason to start again, whatever the policy.
    const key = `${uid} ${container.name}`;
    const image = container.config.image?.userSpecifiedImage ?? '';
    let runs = this.runs.get(key);
    if (runs?.image !== image) this.runs.set(key, (runs = { image, count: 0, succeeded: false }));
    runs.count++;
    if (restartPolicy === 'Never' && runs.count > 1) {
      throw new BrokenPromise('restartPolicy Never', `${who} has started ${runs.count} times`);
    }
    if (restartPolicy === 'OnFailure' && runs.succeeded) {
      throw new BrokenPromise('restartPolicy OnFailure', `${who} has started again after it succeeded`);
    }
  }

  private onEnd(container: SimulatedContainer): void {
    this.finished.add(container.id);
    const uid = uidOf(container);
    if (container.exitCode === 0) {
      this.initialized.add(`${container.podSandboxId} ${container.name}`);
      const runs = this.runs.get(`${uid} ${container.name}`);
      if (runs !== undefined && runs.image === container.config.image?.userSpecifiedImage) runs.succeeded = true;
    }
    const stop = this.stops.get(container.id);
    // After a stop that failed the sandbox is stopped all the same, as by upstream, and takes its containers along.
    if (stop === undefined || stop.call.outcome === 'failed' || this.scene.endedByOthers.has(container.id)) return;
    if (container.program.onStop !== 'ignore' || container.exitCode !== 137) return;
    const tookMs = this.scene.nowMs() - stop.atMs;
    if (tookMs < stop.graceMs - 1_000) {
      throw new BrokenPromise(
        'grace periods are kept',
        `${container.name} of ${uid} was killed ${tookMs} ms after its stop, with a grace period of ${stop.graceMs} ms`,
      );
    }
  }

  private readCalls(): void {
    const { all } = this.scene.runtime.calls;
    for (; this.callsSeen < all.length; this.callsSeen++) {
      const call = all[this.callsSeen];
      const container = call && this.scene.runtime.control.findContainer(call.subject);
      if (container === undefined) continue;
      if (call?.rpc === 'removeContainer' && container.startedAt === 0n) this.unstartedRemovals.add(container.id);
      if (call?.rpc === 'stopContainer') this.noteStop(call, container);
    }
  }

  private noteStop(call: LoggedCall, container: SimulatedContainer): void {
    const asked = Number((call.request as { readonly timeout?: bigint }).timeout ?? 0n) * 1_000;
    const allowed = this.shortestGraceMs(container);
    const isShort = asked + 1_000 < allowed;
    if (isShort) this.noteShortStop(container, `gets ${asked} ms to stop instead of ${allowed}`);
    const graceMs = isShort ? asked : allowed;
    const known = this.stops.get(container.id);
    const atMs = this.scene.nowMs();
    if (known === undefined || known.call.outcome === 'failed')
      this.stops.set(container.id, { call, atMs, beganMs: known?.beganMs ?? atMs, graceMs });
    else known.graceMs = Math.min(known.graceMs, graceMs);
  }

  private noteShortStop(container: SimulatedContainer, what: string): void {
    const uid = uidOf(container);
    const pod = this.specs.get(uid);
    const message = `${container.name} of ${pod?.metadata.name} ${what}`;
    const { hadAnEnd, bootedAtMs } = this.scene.kubelet;
    if (!hadAnEnd || pod === undefined || !asksForDevices(pod))
      throw new BrokenPromise('grace periods are kept', message);
    // The word that it was refused may still be on its way to the API server.
    this.unexplained.set(uid, { message, bootedAtMs });
  }

  private explainStops(): void {
    for (const [uid, { bootedAtMs }] of this.unexplained) {
      const pod = this.specs.get(uid);
      const isExplained = pod === undefined || !this.present.has(uid) || wasRefusedRunning(pod);
      // A kubelet that ends may not have told of it, and the next one may have the devices.
      if (isExplained || this.scene.kubelet.bootedAtMs !== bootedAtMs) this.unexplained.delete(uid);
    }
  }

  /** The least time that the runtime may be told to give a container. */
  private shortestGraceMs(container: SimulatedContainer): number {
    const pod = this.specs.get(uidOf(container));
    // Without grace, its object has been deleted at once.
    if (pod === undefined || !this.present.has(runtimeUid(pod))) return 0;
    // Nobody knows the grace of a static pod whose manifest went, or became another one, while no kubelet ran; its mirror
    // pod stays a little longer.
    const { kubelet, manifests } = this.scene;
    const isOutdated = isMirror(pod) && manifests.uidOf(manifestName(pod)) !== runtimeUid(pod);
    if (kubelet.hadAnEnd && (manifests.wasRemoved(pod) || isOutdated || wasRefusedRunning(pod))) return 0;
    const spec = pod.spec.containers.find(({ name }) => name === container.name);
    // A hook takes its time from the grace period, of which two seconds stay; sidecars end after the others.
    if (spec === undefined || spec.lifecycle?.preStop !== undefined) return 0;
    const { deletionGracePeriodSeconds: deleted } = pod.metadata;
    const seconds = Math.min(pod.spec.terminationGracePeriodSeconds ?? 30, deleted ?? Infinity);
    if (!this.scene.kubelet.hadAnEnd) return seconds * 1_000;
    // Another kubelet resumes a kill with what is left of the grace, which it reads from a clock that may have jumped.
    const began = Math.min(
      this.stops.get(container.id)?.beganMs ?? Infinity,
      this.deletions.get(uidOf(container)) ?? Infinity,
    );
    if (this.scene.clockHasJumped()) return 0;
    return began === Infinity ? seconds * 1_000 : Math.max(0, began + seconds * 1_000 - this.scene.nowMs());
  }
}

interface Stop {
  readonly call: LoggedCall;
  /** On the clock that never jumps, as is `beganMs`. */
  readonly atMs: number;
  /** The time of the first call, which may have failed: that of a kubelet that is killed does. */
  readonly beganMs: number;
  /** The shortest grace that anybody gave. */
  graceMs: number;
}

/**
 * A pod that came before its device plugin runs without the devices, and other containers run while one still waits for
 * its own. As by upstream, the next kubelet refuses both, and their containers get the shortest grace; the status keeps the
 * phase while they run.
 */
const wasRefusedRunning = (pod: Pod): boolean => asksForDevices(pod) && pod.status?.containerStatuses === undefined;
