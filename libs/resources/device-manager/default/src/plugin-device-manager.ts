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
import { checkRegistration, devicePluginHandler } from './device-registration.js';
import { nodeDevices, withHeldDevices } from './node-devices.js';
import { PatientAllocation } from './patient-allocation.js';
import { PLUGIN_DEVICE_MANAGER_CONFIG, type PluginDeviceManagerConfig } from './plugin-device-manager-config.js';
import { PluginEndpoints } from './plugin-endpoints.js';
import { RegistrationServer } from './registration-server.js';
import { containerKey, runningContainers } from './running-containers.js';

/** {@link DeviceManager} that serves plugins on sockets and keeps upstream's checkpoint file. */
@injectable()
export class PluginDeviceManager implements DeviceManager, DeviceResources, AllocatedResourceHealth {
  readonly name = 'device-manager';
  private readonly inventory = new DeviceInventory();
  private readonly allocations = new DeviceAllocations();
  private readonly counts: DeviceMetrics;
  private readonly hints: DeviceHintSource;
  private readonly containers: PatientAllocation;
  private readonly endpoints: PluginEndpoints;
  private readonly checkpoint: CheckpointFile;
  private readonly server: RegistrationServer;
  private readonly deviceHealth: DeviceHealth;
  private readonly removals: (() => void)[] = [];
  private ranAtStart: ReadonlySet<string> = new Set();

  constructor(
    @inject(ACTIVE_PODS) activePods: ActivePods,
    @inject(POD_CONFIG) podConfig: Pick<PodConfig, 'allSourcesReady'>,
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
      ranBefore: (uid, container) => !podConfig.allSourcesReady() && this.ranAtStart.has(containerKey(uid, container)),
    });
    this.containers = new PatientAllocation(
      { activePods, podConfig, clock, logger, allocations, allocator, endpoints, checkpoint, isDevice },
      config,
    );
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
          this.containers.hasOrAwaitsDevices(podUid(pod))
            ? withHeldDevices(allocatable, this.allocations)
            : allocatable,
        ),
      );
    if (this.watcher !== undefined)
      this.removals.push(this.watcher.addHandler('DevicePlugin', devicePluginHandler(this.endpoints)));
    await this.server.start();
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
    return this.hints.ofContainer(pod, container, (resource) => this.containers.reusableOf(podUid(pod), resource));
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
