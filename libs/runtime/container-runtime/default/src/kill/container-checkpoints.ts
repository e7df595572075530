import { isJsonObject, type Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { PodCheckpoints, PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { killReasons, type KillReason } from '../actions/pod-actions.js';

/** Times are wall-clock milliseconds, so that they mean the same to the next process. */
export interface ContainerProgress {
  /**
   * Set before the container starts and removed when its hook has ended. With `failure` the container must be killed.
   */
  readonly postStart?: { readonly startedAtMs: number; readonly failure?: string };
  readonly preStop?: { readonly startedAtMs: number; readonly ended: boolean };
  readonly kill?: ContainerKillProgress;
}

/** A kill that has begun and not ended. */
export interface ContainerKillProgress {
  readonly beganAtMs: number;
  /** Grace period in seconds from `beganAtMs`. */
  readonly graceSeconds: number;
  /** Message of the Killing event. */
  readonly message: string;
  readonly reason: KillReason;
  /** True when the whole pod is killed. */
  readonly wholePod: boolean;
}

type Change = { readonly [K in keyof ContainerProgress]?: ContainerProgress[K] | undefined };
/** Progress by container id. */
type Containers = Readonly<Record<string, ContainerProgress>>;

const part: PodCheckpointPart<Containers> = { name: 'container-runtime.containers', decode: decodeContainers };

/**
 * Checkpoints the progress of hooks and kills across a kill -9 of the kubelet. The runtime does not have it: of a command
 * whose caller is gone it keeps nothing (containerd ends it, CRI-O lets it run on), a sleep is only a timer in this
 * process, and the grace period starts with the hook.
 */
export class ContainerCheckpoints {
  constructor(private readonly checkpoints: Pick<PodCheckpoints, 'read' | 'write'>) {}

  of(pod: Pod, containerId: string): ContainerProgress {
    return this.all(pod)[containerId] ?? {};
  }

  /** Resolves once the change survives a kill -9. Undefined values are removed. */
  update(pod: Pod, containerId: string, change: Change): Promise<void> {
    const progress = withoutUndefined({ ...this.of(pod, containerId), ...change });
    const others = Object.entries(this.all(pod)).filter(([id]) => id !== containerId);
    return this.write(pod, progress === undefined ? others : [...others, [containerId, progress]]);
  }

  /** Forgets a container that has stopped. */
  async remove(pod: Pod, containerId: string): Promise<void> {
    if (containerId in this.all(pod)) await this.update(pod, containerId, nothing);
  }

  /** Forgets containers that the runtime no longer has. */
  async tidy(pod: Pod, known: readonly string[]): Promise<void> {
    const all = Object.entries(this.all(pod));
    const left = all.filter(([id]) => known.includes(id));
    if (left.length !== all.length) await this.write(pod, left);
  }

  private all(pod: Pod): Containers {
    return this.checkpoints.read(podUid(pod), part) ?? {};
  }

  private write(pod: Pod, containers: readonly (readonly [string, ContainerProgress])[]): Promise<void> {
    return this.checkpoints.write(
      podUid(pod),
      part,
      containers.length === 0 ? undefined : Object.fromEntries(containers),
    );
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
  if (!isJsonObject(json)) return undefined;
  const decoded = Object.entries(json).flatMap(([id, progress]) => {
    const kept = isJsonObject(progress) ? decodeProgress(progress) : undefined;
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
      isJsonObject(postStart) && isTime(postStart['startedAtMs'])
        ? {
            startedAtMs: postStart['startedAtMs'],
            ...(typeof postStart['failure'] === 'string' && { failure: postStart['failure'] }),
          }
        : undefined,
    preStop:
      isJsonObject(preStop) && isTime(preStop['startedAtMs'])
        ? { startedAtMs: preStop['startedAtMs'], ended: preStop['ended'] === true }
        : undefined,
    kill: isJsonObject(kill) ? decodeKill(kill) : undefined,
  });
}

function decodeKill(kill: Readonly<Record<string, unknown>>): ContainerKillProgress | undefined {
  const { beganAtMs, graceSeconds, message } = kill;
  const reason = killReasons.find((known) => known === kill['reason']);
  if (!isTime(beganAtMs) || !isTime(graceSeconds) || typeof message !== 'string' || reason === undefined)
    return undefined;
  return { beganAtMs, graceSeconds, message, reason, wholePod: kill['wholePod'] === true };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
