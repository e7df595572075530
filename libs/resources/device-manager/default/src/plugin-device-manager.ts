import path from 'node:path';
import type { PluginResourceAdjustment } from '@podwright/admission-interface';
import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type {
  AllocatedDevices,
  AllocatedResourceHealth,
  DeviceManager,
  DeviceRunOptions,
  RegisterRequest,
} from '@podwright/device-manager-interface';
import { podUid, type Container, type Pod } from '@podwright/kube-types';
import type { DeviceResources } from '@podwright/node-status-interface';
import { PLUGIN_WATCHER } from '@podwright/plugin-watcher-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS, POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { MACHINE_TOPOLOGY, TOPOLOGY_MANAGER, type TopologyHints } from '@podwright/topology-manager-interface';
import { CheckpointFile } from './checkpoint/checkpoint-file.js';
import { containerDevices, healthyDevices } from './allocation/assigned-devices.js';
import { DeviceAllocations } from './allocation/device-allocations.js';
import { DeviceAllocator } from './allocation/device-allocator.js';
import type { DeviceCheckpoint } from './checkpoint/device-checkpoint.js';
import { DeviceHealth } from './devices/device-health.js';
import { DeviceHintSource } from './hints/device-hint-source.js';
import { DeviceInventory, type ListedDevice } from './devices/device-inventory.js';
import { DeviceMetrics } from './plugins/device-metrics.js';
import { DEVICE_PLUGIN_CONNECTOR, devicePluginConnector } from './plugins/device-plugin-client.js';
import { checkRegistration, devicePluginHandler } from './plugins/device-registration.js';
import { nodeDevices, withHeldDevices } from './devices/node-devices.js';
import { DeferredAllocation } from './allocation/deferred-allocation.js';
import type { PluginDeviceManagerConfig } from './plugin-device-manager-config.js';
import { PluginEndpoints } from './plugins/plugin-endpoints.js';
import {
  DEVICE_REGISTRATION,
  RegistrationServer,
  type ServeDeviceRegistration,
} from './plugins/registration-server.js';
import { RunningContainers } from './allocation/running-containers.js';

export const deviceManagerNeeds = needs({
  activePods: ACTIVE_PODS,
  /** Without it, a pod that is not active has no devices, though its containers may still run. */
  lifecycle: optional(pick(POD_LIFECYCLE, 'couldHaveRunningContainers')),
  podConfig: pick(POD_CONFIG, 'allSourcesReady'),
  runtime: pick(RUNTIME_SERVICE, 'listPodSandbox', 'listContainers'),
  clock: CLOCK,
  metrics: METRICS,
  logger: LOGGER,
  watcher: optional(PLUGIN_WATCHER),
  topology: optional(pick(TOPOLOGY_MANAGER, 'affinityOf')),
  machine: optional(MACHINE_TOPOLOGY),
  /** Connects to plugins. Default: gRPC on their unix sockets. */
  connect: optional(DEVICE_PLUGIN_CONNECTOR),
  /** Takes their registrations. Default: gRPC on the kubelet's socket. */
  serve: optional(DEVICE_REGISTRATION),
});
export type DeviceManagerNeeds = Needs<typeof deviceManagerNeeds>;

/** {@link DeviceManager} that serves plugins on sockets and keeps upstream's checkpoint file. */
export class PluginDeviceManager implements DeviceManager, DeviceResources, AllocatedResourceHealth {
  readonly name = 'device-manager';
  private readonly inventory = new DeviceInventory();
  private readonly allocations = new DeviceAllocations();
  private readonly counts: DeviceMetrics;
  private readonly hints: DeviceHintSource;
  private readonly containers: DeferredAllocation;
  private readonly endpoints: PluginEndpoints;
  private readonly checkpoint: CheckpointFile;
  private readonly server: ReturnType<ServeDeviceRegistration>;
  private readonly deviceHealth: DeviceHealth;
  private readonly removals: (() => void)[] = [];
  private ranAtStart = new RunningContainers();
  private knowsNothing = false;

  constructor(
    private readonly deps: DeviceManagerNeeds,
    private readonly config: PluginDeviceManagerConfig,
  ) {
    const {
      activePods,
      lifecycle,
      podConfig,
      clock,
      metrics,
      logger,
      topology,
      connect = devicePluginConnector(clock),
    } = deps;
    const { inventory, allocations } = this;
    const { directory, secondDirectory, dialTimeoutMs } = config;
    this.deviceHealth = new DeviceHealth(inventory, allocations, config.resourceHealthStatus);
    this.counts = new DeviceMetrics(metrics);
    const isDevice = (resource: string): boolean => inventory.has(resource) || allocations.resources().has(resource);
    this.hints = new DeviceHintSource(inventory, allocations, isDevice);
    this.checkpoint = new CheckpointFile(directory, () => this.checkpointContent(), logger);
    this.endpoints = new PluginEndpoints({
      ...{ connect, clock, logger, dialTimeoutMs },
      onDevices: (resource, devices) => this.listed(resource, devices),
      onStopped: (resource) => this.inventory.markUnhealthy(resource),
    });
    const { endpoints, checkpoint } = this;
    const allocator = new DeviceAllocator({
      ...{ inventory, allocations, clock, endpoints, metrics: this.counts },
      affinityOf: (uid, container) => topology?.affinityOf(uid, container).numaNodes,
      ranBefore: (uid, container) => !podConfig.allSourcesReady() && this.ranAtStart.has(uid, container),
    });
    this.containers = new DeferredAllocation(
      { activePods, lifecycle, podConfig, clock, logger, allocations, allocator, endpoints, checkpoint, isDevice },
      config,
    );
    const { serve = (options) => new RegistrationServer(options) } = deps;
    this.server = serve({
      ...{ directory, secondDirectory, logger },
      register: (request, from, signal) => this.register(request, from, signal),
    });
  }

  /** Devices that pods hold stay allocatable while their plugin is away. */
  readonly adjustResources: PluginResourceAdjustment = async (allocatable, pod) =>
    this.containers.hasOrAwaitsDevices(podUid(pod)) ? withHeldDevices(allocatable, this.allocations) : allocatable;

  async start(): Promise<void> {
    this.knowsNothing = await this.checkpoint.isFirst();
    this.restore(await this.checkpoint.read());
    this.ranAtStart = await RunningContainers.read(this.deps.runtime, this.deps.logger);
    this.hints.machineNodes = await this.numaNodes();
    if (this.deps.watcher !== undefined)
      this.removals.push(this.deps.watcher.addHandler('DevicePlugin', devicePluginHandler(this.endpoints)));
    await this.server.start();
    // For the next start: this one leaves no socket when it ends in order.
    if (this.knowsNothing) this.saveInBackground('Writing checkpoint encountered');
  }

  async stop(): Promise<void> {
    const allocationsEnded = this.containers.stop();
    for (const remove of this.removals.splice(0)) remove();
    this.server.stop();
    await Promise.all([allocationsEnded, this.endpoints.stop()]);
    await this.checkpoint.idle();
  }

  // The server cannot fail once it listens.
  healthy(): Health {
    return { ok: true };
  }

  hintsOf(pod: Pod, container: Container): TopologyHints {
    this.releaseInactive();
    return this.hints.ofContainer(pod, container, (resource) => this.containers.reusableOf(pod, resource));
  }

  hintsOfPod(pod: Pod): TopologyHints {
    this.releaseInactive();
    return this.hints.ofPod(pod);
  }

  async allocate(pod: Pod, container: Container): Promise<void> {
    await this.containers.allocate(pod, container);
  }

  async runOptionsOf(pod: Pod, container: Container, signal?: AbortSignal): Promise<DeviceRunOptions | undefined> {
    return this.containers.runOptionsOf(pod, container, signal);
  }

  devicesOf(uid: string, container: string): readonly AllocatedDevices[] {
    return containerDevices(this.allocations.ofContainer(uid, container));
  }

  allocatableDevices(): readonly AllocatedDevices[] {
    return healthyDevices(this.inventory);
  }

  releaseInactive(): void {
    this.containers.releaseInactive();
  }

  resources(): ReturnType<DeviceResources['resources']> {
    const { inventory, endpoints, config } = this;
    const { clock } = this.deps;
    const resources = nodeDevices({ inventory, endpoints, nowMs: clock.monotonic(), stopGraceMs: config.stopGraceMs });
    if (resources.removed.length > 0) this.saveInBackground('Failed to write checkpoint file');
    return resources;
  }

  of(pod: Pod, container: string): ReturnType<AllocatedResourceHealth['of']> {
    return this.deviceHealth.of(pod, container);
  }

  watch(listener: (podUids: readonly string[]) => void): () => void {
    return this.deviceHealth.watch(listener);
  }

  nodeRecreated(): boolean {
    return this.knowsNothing;
  }

  private async register(request: RegisterRequest, directory: string, signal: AbortSignal): Promise<void> {
    const { resourceName, endpoint, version } = request;
    this.deps.logger.info('Got registration request from device plugin with resource', { resourceName });
    this.counts.registered(resourceName);
    checkRegistration(version, resourceName);
    await this.endpoints.connect(resourceName, path.join(directory, endpoint), signal);
  }

  private async listed(resource: string, devices: readonly ListedDevice[]): Promise<void> {
    this.knowsNothing = false;
    this.deviceHealth.changed(this.inventory.replace(resource, devices));
    this.deps.logger.debug(2, 'Processed device updates for resource', { resource, totalCount: devices.length });
    await this.checkpoint
      .save()
      .catch((error: unknown) => this.deps.logger.error('Writing checkpoint encountered', { error }));
  }

  private saveInBackground(failure: string): void {
    this.checkpoint.save().catch((error: unknown) => this.deps.logger.error(failure, { error }));
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
    const topology = await this.deps.machine?.read().catch((error: unknown) => {
      this.deps.logger.warn('The NUMA nodes of the machine are unknown, trusting those that device plugins report', {
        error,
      });
      return undefined;
    });
    return topology?.nodes.map(({ id }) => id);
  }
}
