import path from 'node:path';
import { PLUGIN_RESOURCES, type PluginResources } from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS, type Health } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import type {
  AllocatedDevices,
  AllocatedResourceHealth,
  DeviceManager,
  DeviceRunOptions,
  RegisterRequest,
} from '@podwright/device-manager-interface';
import { KubeletError } from '@podwright/errors';
import { podUid, type Container, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { DeviceResources } from '@podwright/node-status-interface';
import { PLUGIN_WATCHER, type PluginWatcher } from '@podwright/plugin-watcher-interface';
import { POD_CONFIG, type PodConfig } from '@podwright/pod-config-interface';
import { ACTIVE_PODS, type ActivePods } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import {
  MACHINE_TOPOLOGY,
  TOPOLOGY_MANAGER,
  type MachineTopologySource,
  type TopologyHints,
  type TopologyManager,
} from '@podwright/topology-manager-interface';
import { inject, injectable } from 'tsyringe';
import { AllocationJobs } from './allocation-jobs.js';
import { CheckpointFile } from './checkpoint-file.js';
import { containerDevices, healthyDevices } from './assigned-devices.js';
import { DeviceAllocations } from './device-allocations.js';
import { DeviceAllocator } from './device-allocator.js';
import type { DeviceCheckpoint } from './device-checkpoint.js';
import { DeviceHealth } from './device-health.js';
import { DeviceHintSource } from './device-hint-source.js';
import { DeviceInventory, type ListedDevice } from './device-inventory.js';
import { DeviceMetrics } from './device-metrics.js';
import { DEVICE_PLUGIN_CONNECTOR, devicePluginConnector, type ConnectDevicePlugin } from './device-plugin-client.js';
import { deviceRequests, isServedByClaim } from './device-requests.js';
import { checkRegistration, devicePluginHandler } from './device-registration.js';
import { mergeResponses } from './merge-responses.js';
import { nodeDevices, withHeldDevices } from './node-devices.js';
import { PLUGIN_DEVICE_MANAGER_CONFIG, type PluginDeviceManagerConfig } from './plugin-device-manager-config.js';
import { PluginEndpoints } from './plugin-endpoints.js';
import { RegistrationServer } from './registration-server.js';
import { preStartContainer } from './pre-start-container.js';
import { ReusableDevices } from './reusable-devices.js';
import { containerKey, runningContainers } from './running-containers.js';

/** {@link DeviceManager} that serves plugins on sockets and keeps upstream's checkpoint file. */
@injectable()
export class PluginDeviceManager implements DeviceManager, DeviceResources, AllocatedResourceHealth {
  readonly name = 'device-manager';
  private readonly inventory = new DeviceInventory();
  private readonly allocations = new DeviceAllocations();
  private readonly reusable = new ReusableDevices(this.allocations);
  private readonly counts: DeviceMetrics;
  private readonly hints: DeviceHintSource;
  private readonly jobs: AllocationJobs;
  private readonly endpoints: PluginEndpoints;
  private readonly allocator: DeviceAllocator;
  private readonly checkpoint: CheckpointFile;
  private readonly server: RegistrationServer;
  private readonly deviceHealth: DeviceHealth;
  private readonly removals: (() => void)[] = [];
  private readonly stopping = new AbortController();
  private ranAtStart: ReadonlySet<string> = new Set();

  constructor(
    @inject(ACTIVE_PODS) private readonly activePods: ActivePods,
    @inject(POD_CONFIG) private readonly podConfig: Pick<PodConfig, 'allSourcesReady'>,
    @inject(RUNTIME_SERVICE) private readonly runtime: Pick<RuntimeService, 'listPodSandbox' | 'listContainers'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(PLUGIN_DEVICE_MANAGER_CONFIG) private readonly config: PluginDeviceManagerConfig,
    @inject(PLUGIN_WATCHER, { isOptional: true }) private readonly watcher?: PluginWatcher,
    @inject(PLUGIN_RESOURCES, { isOptional: true }) private readonly pluginResources?: PluginResources,
    @inject(TOPOLOGY_MANAGER, { isOptional: true }) topology?: Pick<TopologyManager, 'affinityOf'>,
    @inject(MACHINE_TOPOLOGY, { isOptional: true }) private readonly machine?: MachineTopologySource,
    @inject(DEVICE_PLUGIN_CONNECTOR, { isOptional: true }) connect: ConnectDevicePlugin = devicePluginConnector(clock),
  ) {
    const { inventory, allocations } = this;
    const { directory, dialTimeoutMs } = config;
    this.deviceHealth = new DeviceHealth(inventory, allocations, config.resourceHealthStatus);
    this.counts = new DeviceMetrics(metrics);
    this.hints = new DeviceHintSource(inventory, allocations, (resource) => this.isDevice(resource));
    this.jobs = new AllocationJobs(clock);
    this.checkpoint = new CheckpointFile(directory, () => this.checkpointContent(), logger);
    this.endpoints = new PluginEndpoints({
      ...{ connect, clock, logger, dialTimeoutMs },
      onDevices: (resource, devices) => this.listed(resource, devices),
      onStopped: (resource) => this.inventory.markUnhealthy(resource),
    });
    this.allocator = new DeviceAllocator({
      ...{ inventory, allocations, clock, endpoints: this.endpoints, metrics: this.counts },
      affinityOf: (uid, container) => topology?.affinityOf(uid, container).numaNodes,
      ranBefore: (uid, container) =>
        !this.podConfig.allSourcesReady() && this.ranAtStart.has(containerKey(uid, container)),
    });
    this.server = new RegistrationServer({
      ...{ directory, logger },
      register: (request, signal) => this.register(request, signal),
    });
  }

  async start(): Promise<void> {
    this.restore(await this.checkpoint.read());
    this.ranAtStart = await runningContainers(this.runtime, this.logger);
    this.hints.machineNodes = await this.numaNodes();
    if (this.pluginResources !== undefined)
      this.removals.push(
        this.pluginResources.add(async (allocatable, pod) =>
          this.hasOrAwaitsDevices(podUid(pod)) ? withHeldDevices(allocatable, this.allocations) : allocatable,
        ),
      );
    if (this.watcher !== undefined)
      this.removals.push(this.watcher.addHandler('DevicePlugin', devicePluginHandler(this.endpoints)));
    await this.server.start();
  }

  private hasOrAwaitsDevices(uid: string): boolean {
    // A plugin that is slow to answer leaves admission with a pod that has no allocation yet, but a claim on devices.
    return this.allocations.hasPod(uid) || this.jobs.podUids().includes(uid);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the device manager is stopping', { code: 'cancelled' }));
    for (const remove of this.removals.splice(0)) remove();
    this.server.stop();
    await Promise.all([this.jobs.stop(), this.endpoints.stop()]);
    await this.checkpoint.idle();
  }

  // The server cannot fail once it listens.
  healthy(): Health {
    return { ok: true };
  }

  hintsOf(pod: Pod, container: Container): TopologyHints {
    this.releaseInactive();
    return this.hints.ofContainer(pod, container, (resource) => this.reusable.of(podUid(pod), resource));
  }

  hintsOfPod(pod: Pod): TopologyHints {
    this.releaseInactive();
    return this.hints.ofPod(pod);
  }

  /** A plugin that does not answer is waited for no longer than admission has patience; the container waits at its start. */
  async allocate(pod: Pod, container: Container): Promise<void> {
    const uid = podUid(pod);
    if (this.jobs.ofContainer(uid, container.name) === undefined && !this.asksForDevices(container)) {
      this.reusable.turnTo(pod);
      return;
    }
    const ended = await this.jobs.settledForPod(
      uid,
      this.beginAllocation(pod, container),
      this.config.admissionPatienceMs,
    );
    if (!ended)
      this.logger.warn('A device plugin has not answered yet; the container starts when it has', {
        podUid: uid,
        container: container.name,
      });
  }

  async runOptionsOf(pod: Pod, container: Container, signal?: AbortSignal): Promise<DeviceRunOptions | undefined> {
    const uid = podUid(pod);
    await this.answered(container, this.jobs.ofContainer(uid, container.name));
    const either = signal === undefined ? this.stopping.signal : AbortSignal.any([signal, this.stopping.signal]);
    let missing = false;
    for (const [resource, count] of deviceRequests(container)) {
      if (count === 0 || !this.isDevice(resource)) continue;
      await preStartContainer(
        { podUid: uid, container: container.name, resource },
        { allocations: this.allocations, endpoints: this.endpoints, timeoutMs: this.config.preStartTimeoutMs },
        either,
      );
      // A race at the start of the node: admitted before its plugin told of itself.
      if (this.allocations.ids(uid, container.name, resource) === undefined) missing = true;
    }
    if (missing && this.activePods.list().some((active) => podUid(active) === uid))
      await this.answered(container, this.beginAllocation(pod, container));
    const resources = this.allocations.ofContainer(uid, container.name);
    if (resources.size === 0) return undefined;
    return mergeResponses(
      [...resources.values()].map(({ response }) => response),
      this.logger,
    );
  }

  devicesOf(uid: string, container: string): readonly AllocatedDevices[] {
    return containerDevices(this.allocations.ofContainer(uid, container));
  }

  allocatableDevices(): readonly AllocatedDevices[] {
    return healthyDevices(this.inventory);
  }

  releaseInactive(): void {
    if (!this.podConfig.allSourcesReady()) return;
    const holders = [...this.allocations.podUids(), ...this.jobs.podUids()];
    if (holders.length === 0) return;
    const active = new Set(this.activePods.list().map(podUid));
    for (const uid of holders) {
      if (active.has(uid)) continue;
      this.allocations.removePod(uid);
      this.jobs.abort(uid, 'the pod is not active any more');
    }
  }

  resources(): ReturnType<DeviceResources['resources']> {
    const { inventory, endpoints, clock, config } = this;
    const resources = nodeDevices({ inventory, endpoints, nowMs: clock.monotonic(), stopGraceMs: config.stopGraceMs });
    if (resources.removed.length > 0)
      this.checkpoint.save().catch((error: unknown) => this.logger.error('Failed to write checkpoint file', { error }));
    return resources;
  }

  of(uid: string, container: string): ReturnType<AllocatedResourceHealth['of']> {
    return this.deviceHealth.of(uid, container);
  }

  watch(listener: (podUids: readonly string[]) => void): () => void {
    return this.deviceHealth.watch(listener);
  }

  nodeRecreated(): boolean {
    return !this.checkpoint.exists;
  }

  private beginAllocation(pod: Pod, container: Container): Promise<void> {
    return this.jobs.begin(podUid(pod), container.name, (signal) => this.allocateNow(pod, container, signal));
  }

  private async allocateNow(pod: Pod, container: Container, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const uid = podUid(pod);
    this.reusable.turnTo(pod);
    this.releaseInactive();
    let changed = false;
    for (const [resource, count] of deviceRequests(container)) {
      if (isServedByClaim(pod, container.name, resource) || !this.isDevice(resource)) continue;
      const reusable = this.reusable.of(uid, resource);
      const request = { podUid: uid, container: container.name, resource, count, reusable };
      if (await this.allocator.allocate(request, signal)) changed = true;
    }
    if (changed) await this.checkpoint.save();
    this.reusable.note(pod, container);
  }

  private async answered({ name }: Container, job: Promise<void> | undefined): Promise<void> {
    if (job === undefined || (await this.jobs.settled(job, this.config.startPatienceMs))) return;
    throw new KubeletError(`device plugin has not answered Allocate for container ${name} yet`, {
      code: 'deadline-exceeded',
    });
  }

  private isDevice(resource: string): boolean {
    return this.inventory.has(resource) || this.allocations.resources().has(resource);
  }

  private asksForDevices(container: Container): boolean {
    return Object.keys(container.resources?.limits ?? {}).some((resource) => this.isDevice(resource));
  }

  private async register(request: RegisterRequest, signal: AbortSignal): Promise<void> {
    const { resourceName, endpoint, version } = request;
    this.logger.info('Got registration request from device plugin with resource', { resourceName });
    this.counts.registered(resourceName);
    checkRegistration(version, resourceName);
    await this.endpoints.connect(resourceName, path.join(this.config.directory, endpoint), signal);
  }

  private async listed(resource: string, devices: readonly ListedDevice[]): Promise<void> {
    this.deviceHealth.changed(this.inventory.replace(resource, devices));
    this.logger.debug(2, 'Processed device updates for resource', { resource, totalCount: devices.length });
    await this.checkpoint
      .save()
      .catch((error: unknown) => this.logger.error('Writing checkpoint encountered', { error }));
  }

  private checkpointContent(): DeviceCheckpoint {
    return {
      allocations: [...this.allocations.entries()],
      registered: Object.fromEntries(this.inventory.names().map((name) => [name, [...this.inventory.healthy(name)]])),
    };
  }

  private restore(found: DeviceCheckpoint | undefined): void {
    for (const allocation of found?.allocations ?? []) this.allocations.insert(allocation);
    for (const resource of Object.keys(found?.registered ?? {})) {
      this.inventory.adopt(resource);
      this.endpoints.adopt(resource);
    }
  }

  private async numaNodes(): Promise<readonly number[] | undefined> {
    const topology = await this.machine?.read().catch((error: unknown) => {
      this.logger.warn('The NUMA nodes of the machine are not known, those of devices are taken as they come', {
        error,
      });
      return undefined;
    });
    return topology?.nodes.map(({ id }) => id);
  }
}
