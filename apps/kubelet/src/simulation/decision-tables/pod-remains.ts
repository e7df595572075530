import { ContainerState } from '@podwright/cri-client-interface';
import type { PodSpec } from '@podwright/kube-types';
import type { SimulatedContainer } from '@podwright/simulated-runtime';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { PodScene, type PodParts, type PodSceneOptions } from './pod-scene.js';

/** `exited 1` is an exit code, `exited OOMKilled` a reason; `none`: the runtime has lost it. */
export type RecordState = 'none' | 'created' | 'running' | 'unknown' | `exited ${string}`;

/** What a kubelet finds of a pod that another one has run. */
export interface Remains extends PodSceneOptions {
  /** By container name. Those not named run, plain init containers have succeeded. */
  readonly records?: Readonly<Record<string, RecordState>>;
  readonly spec?: Partial<PodSpec>;
  /** The spec under which it was run, where that was another. Containers of both are made. */
  readonly before?: Partial<PodSpec>;
  /** The kubelet's own files are there still. Default false: only the runtime knows of the pod. */
  readonly remembered?: boolean;
  /** Anything else that has happened meanwhile. */
  readonly meanwhile?: (scene: PodScene) => void | Promise<void>;
  /** The pod as it is wanted now. */
  readonly parts?: PodParts;
  /** Between the two kubelets. Default 2 s. */
  readonly awayMs?: number;
}

/** A scene whose kubelet has just found the remains. Nothing of the story of before is in its story. */
export async function openRemains(remains: Remains): Promise<PodScene> {
  const { records = {}, spec = {}, before = spec, remembered = false, meanwhile, parts, awayMs = 2_000 } = remains;
  const { spec: _spec, before: _before, records: _records, meanwhile: _meanwhile, parts: _parts, ...rest } = remains;
  const { remembered: _remembered, awayMs: _awayMs, ...options } = rest;
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
  if (!remembered) await rm(path.join(scene.node.dir, 'root'), { recursive: true });
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
