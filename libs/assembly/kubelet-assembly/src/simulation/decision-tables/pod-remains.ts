import { ContainerState } from '@podwright/cri-client-interface';
import type { PodSpec } from '@podwright/kube-types';
import type { SimulatedContainer } from '@podwright/simulated-runtime';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { PodScene, type PodParts, type PodSceneOptions } from './pod-scene.js';

/**
 * State of a container in the runtime. `exited 1` has an exit code, `exited OOMKilled` a reason; for `none`, the
 * runtime has lost the container.
 */
export type RecordState = 'none' | 'created' | 'running' | 'unknown' | `exited ${string}`;

/** State of a pod that an earlier kubelet ran. */
export interface Remains extends PodSceneOptions {
  /** By container name. Containers not named here run; plain init containers have succeeded. */
  readonly records?: Readonly<Record<string, RecordState>>;
  readonly spec?: Partial<PodSpec>;
  /** The spec that the earlier kubelet ran, when it differs from `spec`. */
  readonly before?: Partial<PodSpec>;
  /**
   * True when the kubelet's own files, checkpoints included, still exist. Default false: only the runtime knows the
   * pod.
   */
  readonly checkpointed?: boolean;
  /** Other changes between the two kubelets. */
  readonly meanwhile?: (scene: PodScene) => void | Promise<void>;
  /** Further parts of the pod for the second kubelet. */
  readonly parts?: PodParts;
  /** Milliseconds between the two kubelets. Default 2000. */
  readonly awayMs?: number;
}

/** Opens a scene in which a new kubelet has just started on the remains. Its story does not contain earlier calls. */
export async function openRemains(remains: Remains): Promise<PodScene> {
  const { records = {}, spec = {}, before = spec, checkpointed = false, meanwhile, parts, awayMs = 2_000 } = remains;
  const { spec: _spec, before: _before, records: _records, meanwhile: _meanwhile, parts: _parts, ...rest } = remains;
  const { checkpointed: _checkpointed, awayMs: _awayMs, ...options } = rest;
  const scene = await PodScene.open(options);
  const plain = (before.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy !== 'Always');
  for (const { name } of plain) scene.programs.set(name, { exitAfterMs: 10 });
  scene.want(before);
  await scene.ready();
  await scene.node.kill();
  await scene.node.clock.advance(awayMs);
  for (const { name } of plain) scene.programs.delete(name);
  for (const [name, state] of Object.entries(records)) mould(scene, name, state);
  await meanwhile?.(scene);
  if (!checkpointed) await rm(path.join(scene.node.dir, 'root'), { recursive: true });
  scene.forget();
  scene.want(spec, parts);
  await scene.node.boot();
  return scene;
}

function mould(scene: PodScene, name: string, state: RecordState): void {
  const record = scene.record(name);
  if (record === undefined) throw new Error(`the pod never had a container ${name}`);
  if (state === 'none') return scene.node.runtime.control.loseContainer(record.id);
  Object.assign(record, fieldsOf(state, record));
}

function fieldsOf(state: Exclude<RecordState, 'none'>, { startedAt }: SimulatedContainer): Partial<SimulatedContainer> {
  const [word, how = ''] = state.split(' ');
  switch (word) {
    case 'created':
      return { state: ContainerState.CONTAINER_CREATED, startedAt: 0n, finishedAt: 0n };
    case 'running':
      return { state: ContainerState.CONTAINER_RUNNING, finishedAt: 0n, reason: '', exitCode: 0 };
    case 'unknown':
      return { state: ContainerState.CONTAINER_UNKNOWN };
    default: {
      const exitCode = how === 'OOMKilled' ? 137 : Number(how);
      const reason = how === 'OOMKilled' ? how : exitCode === 0 ? 'Completed' : 'Error';
      return { state: ContainerState.CONTAINER_EXITED, finishedAt: startedAt + 1_000_000_000n, exitCode, reason };
    }
  }
}
