import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { PodMemory, PodMemoryPart } from '@podwright/pod-memory-interface';
import { killReasons, type KillReason } from '../actions/pod-actions.js';

/** Times are wall-clock milliseconds, they must mean the same to the next process. */
export interface ContainerProgress {
  /** There from before the start of the container until its hook has ended; `failure`: the container is to be killed. */
  readonly postStart?: { readonly startedAtMs: number; readonly failure?: string };
  readonly preStop?: { readonly startedAtMs: number; readonly ended: boolean };
  readonly kill?: ContainerKillProgress;
}

/** A kill that has begun and not ended. */
export interface ContainerKillProgress {
  readonly beganAtMs: number;
  /** Counts from `beganAtMs`. */
  readonly graceSeconds: number;
  /** Text of its event. */
  readonly message: string;
  readonly reason: KillReason;
  /** All containers of the pod are killed together. */
  readonly wholePod: boolean;
}

type Change = { readonly [K in keyof ContainerProgress]?: ContainerProgress[K] | undefined };
/** By container id. */
type Containers = Readonly<Record<string, ContainerProgress>>;

const part: PodMemoryPart<Containers> = { name: 'container-runtime.containers', decode: decodeContainers };

/**
 * How far hooks and kills of containers have come, over a kill -9 of the kubelet. The runtime does not know: a command
 * whose caller is gone is ended by it, a sleep is nothing but a timer here, and a grace period begins with the hook.
 */
export class ContainerMemory {
  constructor(private readonly memory: Pick<PodMemory, 'recall' | 'keep'>) {}

  of(pod: Pod, containerId: string): ContainerProgress {
    return this.all(pod)[containerId] ?? {};
  }

  /** Resolves when a kill -9 can no longer take it away; undefined values are forgotten. */
  note(pod: Pod, containerId: string, change: Change): Promise<void> {
    const progress = withoutUndefined({ ...this.of(pod, containerId), ...change });
    const others = Object.entries(this.all(pod)).filter(([id]) => id !== containerId);
    return this.keep(pod, progress === undefined ? others : [...others, [containerId, progress]]);
  }

  /** The container has ended. */
  async forget(pod: Pod, containerId: string): Promise<void> {
    if (containerId in this.all(pod)) await this.note(pod, containerId, nothing);
  }

  /** Forgets containers that the runtime no longer has. */
  async tidy(pod: Pod, known: readonly string[]): Promise<void> {
    const all = Object.entries(this.all(pod));
    const left = all.filter(([id]) => known.includes(id));
    if (left.length !== all.length) await this.keep(pod, left);
  }

  private all(pod: Pod): Containers {
    return this.memory.recall(podUid(pod), part) ?? {};
  }

  private keep(pod: Pod, containers: readonly (readonly [string, ContainerProgress])[]): Promise<void> {
    return this.memory.keep(podUid(pod), part, containers.length === 0 ? undefined : Object.fromEntries(containers));
  }
}

const nothing: Change = { postStart: undefined, preStop: undefined, kill: undefined };

function withoutUndefined(change: Change): ContainerProgress | undefined {
  const { postStart, preStop, kill } = change;
  if (postStart === undefined && preStop === undefined && kill === undefined) return undefined;
  return {
    ...(postStart !== undefined && { postStart }),
    ...(preStop !== undefined && { preStop }),
    ...(kill !== undefined && { kill }),
  };
}

function decodeContainers(json: unknown): Containers | undefined {
  if (!isObject(json)) return undefined;
  const decoded = Object.entries(json).flatMap(([id, progress]) => {
    const kept = isObject(progress) ? decodeProgress(progress) : undefined;
    return kept === undefined ? [] : [[id, kept] as const];
  });
  return Object.fromEntries(decoded);
}

function decodeProgress({
  postStart,
  preStop,
  kill,
}: Readonly<Record<string, unknown>>): ContainerProgress | undefined {
  return withoutUndefined({
    postStart:
      isObject(postStart) && isTime(postStart['startedAtMs'])
        ? {
            startedAtMs: postStart['startedAtMs'],
            ...(typeof postStart['failure'] === 'string' && { failure: postStart['failure'] }),
          }
        : undefined,
    preStop:
      isObject(preStop) && isTime(preStop['startedAtMs'])
        ? { startedAtMs: preStop['startedAtMs'], ended: preStop['ended'] === true }
        : undefined,
    kill: isObject(kill) ? decodeKill(kill) : undefined,
  });
}

function decodeKill(kill: Readonly<Record<string, unknown>>): ContainerKillProgress | undefined {
  const { beganAtMs, graceSeconds, message } = kill;
  const reason = killReasons.find((known) => known === kill['reason']);
  if (!isTime(beganAtMs) || !isTime(graceSeconds) || typeof message !== 'string' || reason === undefined)
    return undefined;
  return { beganAtMs, graceSeconds, message, reason, wholePod: kill['wholePod'] === true };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
