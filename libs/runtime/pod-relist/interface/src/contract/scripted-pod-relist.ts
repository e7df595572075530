import type {
  RuntimeContainer,
  RuntimeContainerState,
  RuntimePod,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import type { PodLifecycleEvent, RelistOptions } from '@podwright/pleg-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodRelist } from '../pod-relist.js';

/** A {@link PodRelist} on a runtime in memory, for specs of plegs. Relists take no time, and it records them. */
export class ScriptedPodRelist implements PodRelist {
  /** The relists so far: the UID of a pod, or `*` for all. */
  readonly relists: string[] = [];
  /** UIDs of the `vouch` calls that returned true. */
  readonly vouched: string[] = [];
  readonly unsettled = new Set<string>();
  /** True: the runtime does not answer. */
  failing = false;
  private readonly actual = new Map<string, Map<string, RuntimeContainerState>>();
  private readonly known = new Map<string, RuntimePod>();
  private readonly listeners = new Set<(event: PodLifecycleEvent) => void>();
  private readonly failureListeners = new Set<(podUid: string) => void>();
  private stopped = false;

  /** Changes the runtime, without a relist. */
  change(podUid: string, containerId: string, state: RuntimeContainerState | 'gone'): void {
    const containers = this.actual.get(podUid) ?? new Map<string, RuntimeContainerState>();
    if (state === 'gone') containers.delete(containerId);
    else containers.set(containerId, state);
    if (containers.size === 0) this.actual.delete(podUid);
    else this.actual.set(podUid, containers);
  }

  /** The cache that the relists have written. */
  get cache(): PodCache {
    const get = (uid: string): RuntimePodStatus => {
      if (this.unsettled.has(uid)) throw new Error(`pod ${uid} could not be inspected`);
      const containers = (this.known.get(uid)?.containers ?? []) as unknown as RuntimePodStatus['containers'];
      return { uid, name: '', namespace: '', ips: [], containers, sandboxes: [] };
    };
    return { get, getNewerThan: async (uid) => get(uid) };
  }

  start(): Promise<void> {
    return Promise.resolve();
  }
  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }
  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  watchFailures(listener: (podUid: string) => void): () => void {
    this.failureListeners.add(listener);
    return () => this.failureListeners.delete(listener);
  }
  pod(podUid: string): RuntimePod | undefined {
    return this.known.get(podUid);
  }
  pods(): readonly RuntimePod[] {
    return [...this.known.values()];
  }

  vouch(podUid: string): boolean {
    if (!this.known.has(podUid) || this.unsettled.has(podUid)) return false;
    this.vouched.push(podUid);
    return true;
  }

  async relist(): Promise<void> {
    this.relists.push('*');
    if (this.failing || this.stopped) throw new Error('the runtime does not answer');
    for (const uid of new Set([...this.actual.keys(), ...this.known.keys()])) this.take(uid);
  }

  requestRelist(podUid: string, _options?: RelistOptions): void {
    if (this.stopped) return;
    this.relists.push(podUid);
    if (this.failing) for (const listener of this.failureListeners) listener(podUid);
    else this.take(podUid);
  }

  private take(uid: string): void {
    if (this.unsettled.has(uid)) return;
    const before = new Map(this.known.get(uid)?.containers.map(({ id, state }) => [id, state]));
    const after = this.actual.get(uid);
    if (after === undefined) this.known.delete(uid);
    else this.known.set(uid, shown(uid, after));
    for (const [id, state] of after ?? []) {
      if (before.get(id) === state) continue;
      if (state === 'running') this.emit('ContainerStarted', uid, id);
      if (state === 'exited') this.emit('ContainerDied', uid, id);
    }
    for (const [id, state] of before) {
      if (after?.has(id) === true) continue;
      if (state !== 'exited') this.emit('ContainerDied', uid, id);
      this.emit('ContainerRemoved', uid, id);
    }
  }

  private emit(type: Exclude<PodLifecycleEvent['type'], 'PodSync'>, podUid: string, containerId: string): void {
    for (const listener of this.listeners) listener({ type, podUid, containerId });
  }
}

function shown(uid: string, states: ReadonlyMap<string, RuntimeContainerState>): RuntimePod {
  const containers = [...states].map(([id, state]): RuntimeContainer => ({
    id,
    name: id,
    podSandboxId: 's',
    state,
    createdAt: 0n,
    image: '',
    imageRef: '',
    imageId: '',
    hash: '0',
  }));
  return { uid, name: uid, namespace: 'default', containers, sandboxes: [] };
}
