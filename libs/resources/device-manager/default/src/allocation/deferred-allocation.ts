import type { DeviceRunOptions } from '@podwright/device-manager-interface';
import { KubeletError } from '@podwright/errors';
import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { ActivePods, PodLifecycle } from '@podwright/pod-workers-interface';
import { withLinkedSignal, type Clock } from '@podwright/time';
import { AllocationJobs } from './allocation-jobs.js';
import type { CheckpointFile } from '../checkpoint/checkpoint-file.js';
import type { DeviceAllocations } from './device-allocations.js';
import type { DeviceAllocator } from './device-allocator.js';
import { deviceRequests, isServedByClaim } from './device-requests.js';
import { mergeResponses } from './merge-responses.js';
import type { PluginDeviceManagerConfig } from '../plugin-device-manager-config.js';
import type { PluginEndpoints } from '../plugins/plugin-endpoints.js';
import { preStartContainer } from './pre-start-container.js';
import { devicesForInit, reusableDevices } from './reusable-devices.js';

export interface DeferredAllocationDeps {
  readonly activePods: ActivePods;
  readonly lifecycle: Pick<PodLifecycle, 'couldHaveRunningContainers'> | undefined;
  readonly podConfig: Pick<PodConfig, 'allSourcesReady'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly allocations: DeviceAllocations;
  readonly allocator: DeviceAllocator;
  readonly endpoints: Pick<PluginEndpoints, 'get'>;
  readonly checkpoint: Pick<CheckpointFile, 'save'>;
  readonly isDevice: (resource: string) => boolean;
}

/**
 * Allocates devices between the admission of a pod and the start of its containers. Admission waits only a limited time
 * for a slow plugin; then the container waits at its start.
 */
export class DeferredAllocation {
  private readonly jobs: AllocationJobs;
  private readonly stopping = new AbortController();

  constructor(
    private readonly deps: DeferredAllocationDeps,
    private readonly config: PluginDeviceManagerConfig,
  ) {
    this.jobs = new AllocationJobs(deps.clock);
  }

  async allocate(pod: Pod, container: Container): Promise<void> {
    const uid = podUid(pod);
    if (this.jobs.ofContainer(uid, container.name) === undefined && !this.asksForDevices(container)) return;
    const ended = await this.jobs.settledForPod(uid, this.begin(pod, container), this.config.admissionPatienceMs);
    if (!ended)
      this.deps.logger.warn('A device plugin has not answered yet; the container starts when it has', {
        podUid: uid,
        container: container.name,
      });
  }

  /**
   * Called when the container starts; undefined for one without devices. Rejects with `deadline-exceeded`, to be
   * retried.
   */
  async runOptionsOf(pod: Pod, container: Container, signal?: AbortSignal): Promise<DeviceRunOptions | undefined> {
    const { activePods, allocations, endpoints, isDevice, logger } = this.deps;
    const uid = podUid(pod);
    await this.answered(container, this.jobs.ofContainer(uid, container.name));
    const asked = deviceRequests(container).filter(([resource, count]) => count > 0 && isDevice(resource));
    const isMissing = asked.some(([resource]) => allocations.ids(uid, container.name, resource) === undefined);
    // Race at the start of the node: the pod was admitted before its plugin registered.
    if (isMissing && activePods.list().some((active) => podUid(active) === uid))
      await this.answered(container, this.begin(pod, container));
    const { preStartTimeoutMs: timeoutMs } = this.config;
    for (const [resource] of asked) {
      const place = { podUid: uid, container: container.name, resource };
      await withLinkedSignal([signal, this.stopping.signal], (either) =>
        preStartContainer(place, { allocations, endpoints, timeoutMs }, either),
      );
    }
    const resources = allocations.ofContainer(uid, container.name);
    if (resources.size === 0) return undefined;
    return mergeResponses(
      [...resources.values()].map(({ response }) => response),
      logger,
    );
  }

  /** Devices of the pod's init containers that later containers may reuse. */
  reusableOf(pod: Pod, resource: string): ReadonlySet<string> {
    return reusableDevices(pod, resource, this.deps.allocations);
  }

  hasOrAwaitsDevices(uid: string): boolean {
    // Admission may end before a slow plugin answers: the pod then has no allocation yet, but claims devices.
    return this.deps.allocations.hasPod(uid) || this.jobs.podUids().includes(uid);
  }

  /**
   * Releases the devices and pending requests of pods that are no longer active and have ended: the object of
   * a pod that was deleted without grace is gone while its containers end.
   */
  releaseInactive(): void {
    const { activePods, lifecycle, podConfig, allocations } = this.deps;
    if (!podConfig.allSourcesReady()) return;
    const holders = [...allocations.podUids(), ...this.jobs.podUids()];
    if (holders.length === 0) return;
    const active = new Set(activePods.list().map(podUid));
    for (const uid of holders) {
      if (active.has(uid) || lifecycle?.couldHaveRunningContainers(uid) === true) continue;
      allocations.removePod(uid);
      this.jobs.abort(uid, 'the pod is not active any more');
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the device manager is stopping', { code: 'cancelled' }));
    await this.jobs.stop();
  }

  private begin(pod: Pod, container: Container): Promise<void> {
    return this.jobs.begin(podUid(pod), container.name, (signal) => this.allocateNow(pod, container, signal));
  }

  private async allocateNow(pod: Pod, container: Container, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { allocator, checkpoint, isDevice } = this.deps;
    const uid = podUid(pod);
    this.releaseInactive();
    let changed = false;
    const isInit =
      !isSidecar(container) && pod.spec.initContainers?.some(({ name }) => name === container.name) === true;
    for (const [resource, count] of deviceRequests(container)) {
      const claimed = this.config.extendedResources && isServedByClaim(pod, container.name, resource);
      if (claimed || !isDevice(resource)) continue;
      const reusable = (isInit ? devicesForInit : reusableDevices)(pod, resource, this.deps.allocations);
      const request = { podUid: uid, container: container.name, resource, count, isInit, reusable };
      if (await allocator.allocate(request, signal)) changed = true;
    }
    if (changed) await checkpoint.save();
  }

  private async answered({ name }: Container, job: Promise<void> | undefined): Promise<void> {
    if (job === undefined || (await this.jobs.settled(job, this.config.startPatienceMs))) return;
    throw new KubeletError(`device plugin has not answered Allocate for container ${name} yet`, {
      code: 'deadline-exceeded',
    });
  }

  private asksForDevices(container: Container): boolean {
    return Object.keys(container.resources?.limits ?? {}).some((resource) => this.deps.isDevice(resource));
  }
}
