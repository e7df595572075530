import type { TestApiServer } from '@podwright/test-apiserver';
import type { SimulatedNode } from '../simulated-node.js';
import { BrokenPromise } from './broken-promise.js';
import type { MachineMounts } from './machine-mounts.js';
import { mentionsIn } from './memory-remains.js';
import type { Scene } from './promises.js';
import { pullIntents, remainsOf, strayImageRecords } from './remains.js';
import type { StoryDraDriver } from './story-dra-driver.js';
import type { StoryKubelet } from './story-kubelet.js';

/** A node on which there were pods. */
export interface DrainedScene extends Pick<Scene, 'runtime' | 'nowMs' | 'pods'> {
  readonly dir: string;
  readonly server: TestApiServer;
  readonly mounts: MachineMounts;
  readonly dra: Pick<StoryDraDriver, 'prepared'>;
  readonly node: Pick<SimulatedNode, 'memory' | 'kubeletTimers' | 'logger' | 'clock'>;
  readonly kubelet: Pick<StoryKubelet, 'hadAnEnd' | 'kill'>;
  /** UIDs of all pods that there were. */
  readonly uids: ReadonlySet<string>;
  /** Whether the story has had a disk that failed. */
  readonly diskHasFailed: boolean;
  /** Whether the story has had container events that were lost or late. */
  readonly eventsWereDisturbed: boolean;
  /** Whether a call to the CSI driver has hung. */
  readonly volumesHaveHung: boolean;
  advanceTo(targetMs: number): Promise<void>;
}

/** Housekeeping and garbage collection come each minute. */
const collectedAfterMs = 130_000;
// The pleg opens its stream again after five minutes when it has given events up.
const streamReopensAfterMs = 310_000;
// A call hangs for at most 150 s. A volume at which the driver is at work meanwhile is tried again after two minutes.
const unstagedAfterMs = 280_000;
const watchedMs = 20_000;

/** Histories and limiters, with limits of their own in number or time. Each other place must forget a pod that is gone. */
const remembers = [
  '@podwright/journal.memory.',
  '@podwright/events#api.',
  // Until ten minutes after the last restart.
  '@podwright/container-runtime.parts.backOff.',
  // The last thousand pods that started late.
  '@podwright/container-runtime.parts.preparations.gate.latePods',
  // Until later pulls end, as upstream's.
  '@podwright/image.backOff.',
  // Until the next pod asks for devices, as upstream's.
  '@podwright/device-manager.',
];

/** A node whose pods are gone has nothing of them, and a kubelet that was there needs no more than one that is new. */
export async function checkDrained(scene: DrainedScene): Promise<void> {
  const waits = [
    collectedAfterMs,
    scene.eventsWereDisturbed ? streamReopensAfterMs : 0,
    scene.volumesHaveHung ? unstagedAfterMs : 0,
  ];
  await scene.advanceTo(scene.nowMs() + Math.max(...waits));
  const left = [
    ...remainsOf(scene.dir, scene.runtime, scene.uids),
    ...memoryOf(scene),
    ...mountsOf(scene),
    ...intentsOf(scene),
    ...strayImageRecords(scene.dir, scene.runtime),
    ...[...scene.dra.prepared.values()].map((claim) => `prepared claim ${claim}`),
  ];
  if (left.length > 0) throw new BrokenPromise('a drained node is empty', left.join());
  const before = await use(scene);
  scene.kubelet.kill(undefined, 0, 1_000);
  await scene.advanceTo(scene.nowMs() + collectedAfterMs);
  const after = await use(scene);
  for (const what of ['timers', 'watches'] as const) {
    const [least, most] = [Math.min(...before.map((each) => each[what])), Math.max(...after.map((each) => each[what]))];
    if (least <= most) continue;
    const message = `the kubelet had ${least} ${what} at least, and a new one needs ${most} at most`;
    throw new BrokenPromise('a drained node is empty', message);
  }
}

/** What the kubelet uses for a while. */
async function use(scene: DrainedScene): Promise<readonly Readonly<Record<'timers' | 'watches', number>>[]> {
  const seen: { readonly timers: number; readonly watches: number }[] = [];
  for (const endMs = scene.nowMs() + watchedMs; scene.nowMs() < endMs;) {
    await scene.advanceTo(scene.nowMs() + 700);
    seen.push({ timers: scene.node.kubeletTimers, watches: scene.server.faults.streams.size });
  }
  return seen;
}

function memoryOf({ node, server, mounts, uids }: DrainedScene): readonly string[] {
  const { 'in-process-runtime': runtime, 'in-process-transport': transport, ...own } = Object.fromEntries(node.memory);
  const machine = [runtime, transport, server, mounts, node.clock, node.logger].filter(
    (each): each is object => typeof each === 'object' && each !== null,
  );
  return mentionsIn(Object.entries(own), uids, machine)
    .filter((place) => !remembers.some((start) => place.startsWith(start)))
    .map((place) => `a pod in ${place}`);
}

function mountsOf({ mounts, dir }: DrainedScene): readonly string[] {
  return mounts.table
    .filter(({ mountPoint }) => mountPoint.startsWith(dir))
    .map(({ mountPoint }) => `mount ${mountPoint}`);
}

/**
 * Like upstream's, an intent stays that could not be removed, and that of a pull whose kubelet ended before the image was
 * there: the image may still arrive, and then counts as pulled by the kubelet. The next pull of the image takes it away.
 */
function intentsOf({ dir, diskHasFailed, kubelet }: DrainedScene): readonly string[] {
  return diskHasFailed || kubelet.hadAnEnd ? [] : pullIntents(dir).map((name) => `pull intent ${name}`);
}
