import { CLOCK, LOGGER, METRICS, RANDOM, type Health, decodeOptions } from '@podwright/assembly-interface';
import { Mutex } from '@podwright/concurrency';
import {
  RUNTIME_STATE,
  RUNTIME_STATE_REFRESH,
  type RuntimeState,
  type RuntimeStateRefresh,
} from '@podwright/container-runtime-interface';
import {
  IMAGE_SERVICE,
  RUNTIME_CONNECTION,
  RUNTIME_SERVICE,
  type ImageService,
  type RuntimeConnection,
  type RuntimeService,
} from '@podwright/cri-client-interface';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { KUBE_CLIENT, type KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { NODE_SHUTDOWN_MANAGER, type NodeShutdownManager } from '@podwright/node-shutdown-interface';
import {
  DEVICE_RESOURCES,
  NODE_PRESSURE,
  REGISTERED_NODE,
  type DeviceResources,
  type NodePressure,
  type NodeStatusReporter,
  type RegisteredNode,
} from '@podwright/node-status-interface';
import { jitter, type Clock, type Random } from '@podwright/time';
import { VOLUMES_IN_USE, type VolumesInUse } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import { HOST_NETWORK, readHostNetwork, type HostNetwork } from '../addresses/host-network.js';
import { startReporting, type Reporting } from './reporting.js';
import { REPORTER_CONFIG, reporterConfigSchema, type ReporterConfig } from './reporter-config.js';

// Upstream's numbers.
const roundJitter = 0.04;
const fastPeriodMs = 100;
const fastLastsMs = 120_000;

/**
 * {@link NodeStatusReporter} that registers the node and then sends what differs, round by round. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_node_status.go syncNodeStatus, fastNodeStatusUpdate.
 */
@injectable()
export class ApiNodeStatusReporter implements NodeStatusReporter {
  private readonly stopping = new AbortController();
  // Upstream's syncNodeStatusMux: rounds, and the fast loop of the start, come one after another.
  private readonly rounds = new Mutex();
  private readonly loops: Promise<unknown>[] = [];
  private started: Promise<void> | undefined;
  private reporting: Reporting | undefined;
  private updateWaits = false;
  private unsubscribe: () => void = () => undefined;

  constructor(
    @inject(KUBE_CLIENT) private readonly client: KubeClient,
    @inject(REGISTERED_NODE) private readonly node: RegisteredNode,
    @inject(RUNTIME_STATE) private readonly runtimeState: RuntimeState,
    @inject(RUNTIME_CONNECTION) private readonly connection: RuntimeConnection,
    @inject(RUNTIME_SERVICE) private readonly runtime: Pick<RuntimeService, 'version' | 'updateRuntimeConfig'>,
    @inject(IMAGE_SERVICE) private readonly images: Pick<ImageService, 'listImages'>,
    @inject(EVENT_RECORDER) private readonly recorder: EventRecorder,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(REPORTER_CONFIG) private readonly config: ReporterConfig,
    @inject(RUNTIME_STATE_REFRESH, { isOptional: true }) private readonly refresh?: RuntimeStateRefresh,
    @inject(NODE_PRESSURE, { isOptional: true }) private readonly pressure?: NodePressure,
    @inject(NODE_SHUTDOWN_MANAGER, { isOptional: true }) private readonly shutdown?: NodeShutdownManager,
    @inject(VOLUMES_IN_USE, { isOptional: true }) private readonly volumes?: VolumesInUse,
    @inject(DEVICE_RESOURCES, { isOptional: true }) private readonly devices?: DeviceResources,
    @inject(HOST_NETWORK, { isOptional: true }) private readonly network?: HostNetwork,
  ) {}

  /** Resolves when the machine has been read; rejects when it cannot be. */
  start(): Promise<void> {
    this.started ??= this.begin();
    return this.started;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.unsubscribe();
    await this.started?.catch(() => undefined);
    await Promise.all([...this.loops, this.reporting?.ended()]);
  }

  registered(): boolean {
    return this.reporting?.registration.completed === true || this.node.current() !== undefined;
  }

  requestUpdate(): void {
    // One that waits will see whatever changed until its turn comes.
    if (this.updateWaits || this.reporting === undefined || this.stopping.signal.aborted) return;
    this.updateWaits = true;
    const update = this.rounds.run(async () => {
      this.updateWaits = false;
      await this.round();
    });
    this.loops.push(update);
    void update.finally(() => this.loops.splice(this.loops.indexOf(update), 1));
  }

  healthy(): Health {
    const { reporting } = this;
    if (reporting === undefined) return { ok: false, reason: 'node-status is not started' };
    const { registration, sender } = reporting;
    if (!this.registered()) {
      return { ok: false, reason: `the node is not registered: ${registration.lastFailure ?? 'not tried yet'}` };
    }
    return sender.lastFailure === undefined ? { ok: true } : { ok: false, reason: sender.lastFailure };
  }

  private async begin(): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const { nodeName, hostRoot } = this.config;
    this.metrics
      .gauge({ name: 'kubelet_node_name', help: "The node's name. The count is always 1.", labels: ['node'] })
      .set(1, { node: nodeName });
    const { client, node, runtimeState, connection, runtime, images, recorder, metrics, clock, random, logger } = this;
    const { pressure, shutdown, volumes, devices, config } = this;
    this.reporting = await startReporting(
      {
        ...{ client, node, runtimeState, connection, runtime, images, recorder, metrics, clock, random, logger },
        ...{ pressure, shutdown, volumes, devices },
        network: this.network ?? readHostNetwork(hostRoot),
      },
      config,
      signal,
    );
    if (signal.aborted) return;
    this.unsubscribe = this.shutdown?.watch(() => this.requestUpdate()) ?? this.unsubscribe;
    this.loops.push(this.keepReporting(), this.becomeReadyFast());
  }

  private async keepReporting(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.rounds.run(() => this.round());
      await this.pause(jitter(this.random, this.config.statusUpdateFrequencyMs, roundJitter));
    }
  }

  /** Registers first, when that is the kubelet's part and has not been done. */
  private async round(): Promise<void> {
    const { signal } = this.stopping;
    const { reporting } = this;
    if (reporting === undefined || signal.aborted) return;
    if (this.config.registerNode) await reporting.registration.register(signal);
    if (!signal.aborted) await reporting.sender.round(signal);
  }

  /** A node that starts is ready as soon as its runtime is, not with the next round; gives up after two minutes. */
  private async becomeReadyFast(): Promise<void> {
    const { signal } = this.stopping;
    const startedAt = this.clock.monotonic();
    while (!signal.aborted) {
      const done = await this.rounds.run(async () => {
        if (this.clock.monotonic() - startedAt >= fastLastsMs) {
          this.logger.error('Node not becoming ready in time after startup', { node: this.config.nodeName });
          return true;
        }
        return this.readyNow(signal);
      });
      if (done) return;
      await this.pause(fastPeriodMs);
    }
  }

  private async readyNow(signal: AbortSignal): Promise<boolean> {
    const { reporting } = this;
    const original = this.node.current();
    const ready = (node: typeof original): string | undefined =>
      node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    if (reporting === undefined || original === undefined || ready(original) === undefined) return false;
    if (ready(original) === 'True') return true;
    await this.refresh?.refresh();
    const { node, changed } = await reporting.sender.updated(original);
    if (!changed || ready(node) !== 'True' || signal.aborted) return false;
    this.logger.info('Fast updating node status as it just became ready', { node: this.config.nodeName });
    try {
      await reporting.sender.send(original, node, signal);
    } catch (error) {
      this.logger.debug(2, 'Error updating node status, will retry with syncNodeStatus', { error });
      await this.round();
    }
    return true;
  }

  private async pause(ms: number): Promise<void> {
    await this.clock.sleep(ms, this.stopping.signal).catch(() => undefined);
  }
}

export interface ApiNodeStatusReporterDeps {
  readonly client: KubeClient;
  readonly node: RegisteredNode;
  readonly runtimeState: RuntimeState;
  readonly connection: RuntimeConnection;
  readonly runtime: Pick<RuntimeService, 'version' | 'updateRuntimeConfig'>;
  readonly images: Pick<ImageService, 'listImages'>;
  readonly recorder: EventRecorder;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly refresh?: RuntimeStateRefresh;
  readonly pressure?: NodePressure;
  readonly shutdown?: NodeShutdownManager;
  readonly volumes?: VolumesInUse;
  readonly devices?: DeviceResources;
  /** This machine's when absent. */
  readonly network?: HostNetwork;
}

/** Makes one without a container; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export function createApiNodeStatusReporter(
  deps: ApiNodeStatusReporterDeps,
  options: Partial<ReporterConfig> & Pick<ReporterConfig, 'nodeName'>,
): NodeStatusReporter {
  const config = decodeOptions('node-status', reporterConfigSchema, options);
  return new ApiNodeStatusReporter(
    deps.client,
    deps.node,
    deps.runtimeState,
    deps.connection,
    deps.runtime,
    deps.images,
    deps.recorder,
    deps.metrics,
    deps.clock,
    deps.random,
    deps.logger,
    config,
    deps.refresh,
    deps.pressure,
    deps.shutdown,
    deps.volumes,
    deps.devices,
    deps.network,
  );
}
