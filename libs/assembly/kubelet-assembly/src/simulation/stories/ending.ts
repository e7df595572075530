import { BrokenPromise } from './broken-promise.js';
import { checkDrained, type DrainedScene } from './drained-promises.js';
import { asksForDevices, deviceResources, devicesOf, type DeviceResource } from './device-objects.js';
import { isRefusedDevices } from './device-promises.js';
import { isEnded, isReady, runtimeUid, uidOf } from './promises.js';
import { complaintsAtRest, type RestingScene } from './rest-promises.js';
import type { StatusPromises } from './status-promises.js';
import type { StoryApi } from './story-api.js';
import type { StoryKubelet } from './story-kubelet.js';
import type { StoryManifests } from './story-manifests.js';
import type { Story } from './story.js';
import { podWithAllDevices } from './write-pod.js';

/** A story whose faults are over. */
export interface EndingScene extends RestingScene, DrainedScene {
  readonly api: StoryApi;
  readonly manifests: StoryManifests;
  readonly statuses: StatusPromises;
  readonly kubelet: StoryKubelet;
  /** How many devices of the resource the node says it has. */
  allocatable(resource: DeviceResource): number;
  note(line: string): void;
}

// Back-offs and retries end within five minutes.
const restLimitMs = 8 * 60_000;
const stableMs = 20_000;

/** Waits until all is quiet, and then does what the story ends with. */
export async function tellEnding(scene: EndingScene, { epilogue, devices = false }: Story): Promise<void> {
  await rest(scene);
  if (epilogue === 'drain') return drain(scene, devices);
  if (epilogue !== 'none') return restart(scene, epilogue);
}

async function rest(scene: EndingScene, more: () => readonly string[] = () => []): Promise<void> {
  const startedMs = scene.nowMs();
  let quietSinceMs = startedMs;
  let complaints: readonly string[] = [];
  for (;;) {
    await scene.advanceTo(scene.nowMs() + 1_000);
    complaints = [...complaintsAtRest(scene), ...more()];
    if (complaints.length > 0) quietSinceMs = scene.nowMs();
    else if (scene.nowMs() - quietSinceMs >= stableMs) break;
    if (scene.nowMs() - startedMs > restLimitMs) {
      throw new BrokenPromise('all is well when all is quiet', complaints.join('; ') || 'it goes on changing');
    }
  }
  scene.note('all is as it must be');
}

async function drain(scene: EndingScene, devices: boolean): Promise<void> {
  scene.note('everything is deleted');
  for (const name of scene.manifests.names) scene.manifests.remove(name);
  for (const { metadata } of scene.pods()) await scene.api.delete(metadata.name ?? '');
  await rest(scene);
  const left = scene.pods().map(({ metadata }) => metadata.name);
  if (left.length > 0) throw new BrokenPromise('a drained node is empty', `pods are left: ${left.join()}`);
  if (devices) await askForAll(scene);
  // Garbage collection leaves what was created later than now, as upstream's does.
  if (!scene.clockHasJumped()) await checkDrained(scene);
}

/** All devices are free again: one pod gets them all. */
async function askForAll(scene: EndingScene): Promise<void> {
  const pod = podWithAllDevices('has-all');
  // A call that hangs may end later than all faults, and no scheduler sends the pod before.
  await rest(scene, () =>
    deviceResources
      .filter((resource) => scene.allocatable(resource) < devicesOf(resource).length)
      .map((resource) => `the node does not have all of ${resource}`),
  );
  scene.note('a pod asks for all devices');
  await scene.api.create(pod);
  await rest(scene);
  if (!scene.pods().some(isReady))
    throw new BrokenPromise('devices are free after their pod', 'a pod does not get them');
  await scene.api.delete(pod.metadata.name ?? '');
  await rest(scene);
}

async function restart(scene: EndingScene, how: 'kill' | 'stop'): Promise<void> {
  const before = lasting(scene);
  scene.statuses.afterRestartOnly = true;
  scene.note(`the kubelet restarts (${how}), nothing else happens`);
  if (how === 'kill') scene.kubelet.kill(undefined, 0, 2_000);
  else scene.kubelet.stop(2_000, true);
  await scene.advanceTo(scene.nowMs() + 30_000);
  await rest(scene);
  // As upstream, a pod with a container that waits is refused until its plugin is back, and one that runs as a whole is not.
  const gone = before.filter((id) => !lasting(scene).includes(id) && !wasRefused(scene, id));
  if (gone.length > 0) throw new BrokenPromise('a restart of the kubelet restarts no container', gone.join());
}

/** Containers that run until somebody stops them. */
function lasting({ runtime }: EndingScene): string[] {
  const running = runtime.control.containers().filter((each) => each.running);
  return running.filter(({ program }) => program.exitAfterMs === undefined).map(({ id }) => id);
}

function wasRefused(scene: EndingScene, containerId: string): boolean {
  const container = scene.runtime.control.findContainer(containerId);
  const pod = scene.pods().find((each) => container !== undefined && runtimeUid(each) === uidOf(container));
  // Its phase may come from its containers by then, as upstream's.
  return pod !== undefined && (isRefusedDevices(pod) || (isEnded(pod) && asksForDevices(pod)));
}
