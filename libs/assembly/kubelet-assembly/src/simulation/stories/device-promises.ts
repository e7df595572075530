import type { Pod } from '@podwright/kube-types';
import { BrokenPromise } from './broken-promise.js';
import {
  asksFor,
  asksForDevices,
  devicePath,
  deviceResources,
  devicesOf,
  needs,
  type DeviceResource,
} from './device-objects.js';
import { resourceClaimsOf } from './dra-objects.js';
import { isEnded, runtimeUid, uidOf, type Scene } from './promises.js';
import type { StoryDevicePlugins } from './story-device-plugins.js';
import type { StoryDraDriver } from './story-dra-driver.js';
import type { StoryKubelet } from './story-kubelet.js';
import type { StoryStep } from './story.js';

export interface DeviceScene extends Pick<Scene, 'runtime' | 'pods' | 'nowMs'> {
  readonly devices: Pick<StoryDevicePlugins, 'plugin'>;
  readonly dra: Pick<StoryDraDriver, 'prepared'>;
  readonly diskHasFailed: boolean;
  readonly kubelet: Pick<StoryKubelet, 'bootedAtMs'>;
}

// The node's capacity follows its devices with the next status, every ten seconds.
const settledAfterMs = 15_000;
// A pod counts as a holder until then: the kubelet may release its devices a little later than it seems.
const releasedAfterMs = 5_000;
const refusals: ReadonlySet<string> = new Set(
  deviceResources.map((resource) => `OutOf${resource}`).concat('UnexpectedAdmissionError'),
);

/** Whether a pod was refused because it did not get its devices. */
export const isRefusedDevices = (pod: Pod): boolean => refusals.has(pod.status?.reason ?? '') && asksForDevices(pod);

/** Devices belong to one container at a time, and a pod gets them if they are there. */
export class DevicePromises {
  /** Pods that ask for devices, by UID, with the times at which they were seen first and last. */
  private readonly pods = new Map<string, { pod: Pod; readonly firstMs: number; lastMs: number }>();
  /** IDs by `UID NAME RESOURCE`. */
  private readonly assigned = new Map<string, string>();
  private readonly checked = new Set<string>();
  private readonly refused = new Set<string>();
  /** Since when each kubelet knows a resource, also the next one. */
  private readonly knownSince = new Map<DeviceResource, number>();
  private troubledUntilMs = 0;

  constructor(private readonly scene: DeviceScene) {
    for (const resource of deviceResources) {
      scene.devices.plugin(resource).onKnown = () => {
        if (!this.knownSince.has(resource)) this.knownSince.set(resource, scene.nowMs());
      };
    }
  }

  onStep({ act }: StoryStep): void {
    if (act === 'devices' || act === 'device' || act === 'plugin-away' || act === 'disk-fails') {
      this.troubledUntilMs = Infinity;
    }
  }

  onHeal(): void {
    this.troubledUntilMs = this.scene.nowMs() + settledAfterMs;
  }

  check(): void {
    this.notePods();
    const holders = new Map<string, string>();
    for (const container of this.scene.runtime.control.containers()) {
      if (!container.running) continue;
      const who = `${uidOf(container)} ${container.name}`;
      const held = (container.config.devices ?? []).map(({ hostPath = '' }) => hostPath);
      if (!this.checked.has(container.id)) this.checkStart(container.id, who, held);
      for (const device of held) {
        const other = holders.get(device);
        if (other !== undefined) {
          throw new BrokenPromise('a device has one container', `${device} is in ${other} and in ${who}`);
        }
        holders.set(device, who);
      }
    }
  }

  private checkStart(id: string, who: string, held: readonly string[]): void {
    this.checked.add(id);
    const [uid = '', name = ''] = who.split(' ');
    const known = this.pods.get(uid);
    const { containers = [], initContainers = [] } = known?.pod.spec ?? {};
    const container = [...containers, ...initContainers].find((each) => each.name === name);
    if (known === undefined || container === undefined) return;
    for (const resource of deviceResources) {
      const ids = devicesOf(resource).filter((device) => held.includes(devicePath(device)));
      const key = `${who} ${resource}`;
      const before = this.assigned.get(key) ?? '';
      this.assigned.set(key, ids.join());
      // One that started before the plugin came gets its devices with its next start, as upstream's.
      if (before !== '' && before !== ids.join() && !this.scene.diskHasFailed) {
        throw new BrokenPromise('a container keeps its devices', `${key}: had ${before} and has ${ids.join()}`);
      }
      // A pod that comes before the plugin does starts without, as upstream's.
      if (this.scene.diskHasFailed || known.firstMs <= (this.knownSince.get(resource) ?? Infinity)) continue;
      if (ids.length === asksFor(container, resource)) continue;
      const message = `${who} has ${ids.length} of the ${asksFor(container, resource)} of ${resource} that it asks for`;
      throw new BrokenPromise('a container has the devices that it asks for', message);
    }
  }

  private notePods(): void {
    const { control } = this.scene.runtime;
    const nowMs = this.scene.nowMs();
    const alive = new Set([
      ...control.sandboxes.filter(({ ready }) => ready).map(({ podUid }) => podUid),
      ...control.containers().flatMap((each) => (each.running ? [uidOf(each)] : [])),
    ]);
    for (const pod of this.scene.pods()) {
      const uid = runtimeUid(pod);
      const known = this.pods.get(uid) ?? { pod, firstMs: nowMs, lastMs: nowMs };
      if (!this.pods.has(uid) && deviceResources.every((resource) => needs(pod, resource) === 0)) continue;
      this.pods.set(uid, known);
      known.pod = pod;
      if (!isEnded(pod)) alive.add(uid);
      else this.onEnded(uid, pod);
    }
    for (const [uid, known] of this.pods) {
      if (alive.has(uid) || this.isPrepared(known.pod)) known.lastMs = nowMs;
    }
  }

  /** A pod has not ended before its claims are unprepared, and keeps its devices as long. */
  private isPrepared(pod: Pod): boolean {
    return resourceClaimsOf(pod).some((claim) => [...this.scene.dra.prepared.values()].includes(claim));
  }

  private onEnded(uid: string, pod: Pod): void {
    if (this.refused.has(uid) || !isRefusedDevices(pod)) return;
    this.refused.add(uid);
    const known = this.pods.get(uid);
    if (known === undefined) return;
    const since = known.firstMs - releasedAfterMs;
    // No plugin is known to a kubelet that is new.
    if (since < Math.max(this.troubledUntilMs, this.scene.kubelet.bootedAtMs + settledAfterMs)) return;
    const users = [...this.pods].flatMap(([user, each]) =>
      each.lastMs >= since || this.isBeingStopped(user) ? [each] : [],
    );
    const short = deviceResources.some(
      (resource) => users.reduce((sum, user) => sum + needs(user.pod, resource), 0) > devicesOf(resource).length,
    );
    if (short) return;
    const { reason, message } = pod.status ?? {};
    throw new BrokenPromise('a pod gets the devices that are there', `${pod.metadata.name}: ${reason}: ${message}`);
  }

  /** Whether the runtime has not told the kubelet yet that the pod's sandbox, with its network devices, is stopped. */
  private isBeingStopped(uid: string): boolean {
    const stops = this.scene.runtime.calls.of('stopPodSandbox').filter(({ subjects }) => subjects.includes(uid));
    return stops.length > 0 && stops.at(-1)?.outcome !== 'ok';
  }
}
