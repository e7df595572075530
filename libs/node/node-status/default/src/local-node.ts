import { CLOCK, LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';
import { type NodeSource } from '@podwright/node-status-interface';
import { declaredFeatures } from '@podwright/kube-types';
import { initialNode } from './initial-node.js';
import { nodeReservation, reservationFault } from './node-allocatable.js';
import { nodeCapacity } from './node-capacity.js';
import type { LocalNodeConfig } from './local-node-config.js';
import { readMachineFacts, type MachineFacts } from '@podwright/machine';
import { PodCidr } from './status/pod-cidr.js';

export const localNodeNeeds = needs({
  runtime: pick(RUNTIME_STATE, 'features', 'handlers'),
  connection: pick(RUNTIME_CONNECTION, 'runtimeName', 'runtimeVersion'),
  runtimeService: pick(RUNTIME_SERVICE, 'updateRuntimeConfig'),
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});
export type LocalNodeNeeds = Needs<typeof localNodeNeeds>;

/** {@link NodeSource} without an API server: returns the Node that the kubelet would register. */
export class LocalNode implements NodeSource {
  private readonly stopping = new AbortController();
  private machine: MachineFacts | undefined;
  private refreshing: Promise<void> = Promise.resolve();
  private started: Promise<void> | undefined;
  private built:
    | { readonly node: Node; readonly features: unknown; readonly handlers: unknown; readonly version: string }
    | undefined;

  constructor(
    private readonly deps: LocalNodeNeeds,
    private readonly config: LocalNodeConfig,
  ) {}

  /** Resolves when the machine has been read. Rejects when the reservations exceed the capacity. */
  start(): Promise<void> {
    this.started ??= this.begin();
    return this.started;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.refreshing;
  }

  /** Returns a new object only when the machine or the runtime's facts have changed. */
  getNode(): Node {
    const { machine } = this;
    if (machine === undefined) {
      throw new KubeletError('the machine has not been read yet', { code: 'unavailable' });
    }
    const [features, handlers, version] = [
      this.deps.runtime.features(),
      this.deps.runtime.handlers(),
      this.deps.connection.runtimeVersion,
    ];
    const { built } = this;
    if (built?.features === features && built?.handlers === handlers && built.version === version) return built.node;
    const node = initialNode(this.config, machine, {
      name: this.deps.connection.runtimeName,
      version,
      handlers,
      features,
      declaredFeatures: this.declaredFeatures(),
    });
    this.built = { node, features, handlers, version };
    return node;
  }

  async fetchNode(signal: AbortSignal): Promise<Node> {
    signal.throwIfAborted();
    return this.getNode();
  }

  declaredFeatures(): readonly string[] {
    const { featureGates } = this.config;
    return declaredFeatures({
      enabled: (gate) => featureGates.includes(gate),
      userNamespacesHostNetwork: this.deps.runtime.features()?.userNamespacesHostNetwork ?? false,
    });
  }

  private async begin(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.deps.metrics
      .gauge({ name: 'kubelet_node_name', help: "The node's name. The count is always 1.", labels: ['node'] })
      .set(1, { node: this.config.nodeName });
    await this.read();
    this.checkReservation();
    const { signal } = this.stopping;
    await this.tellPodCidr(signal);
    this.refreshing = (async () => {
      await this.deps.clock.sleep(this.config.refreshPeriodMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.deps.clock.every(this.config.refreshPeriodMs, () => this.refresh(), signal);
    })();
  }

  // Once, as upstream; with an API server, that of the Node takes its place.
  private async tellPodCidr(signal: AbortSignal): Promise<void> {
    const { runtimeService, clock, logger } = this.deps;
    const { podCidr } = this.config;
    if (podCidr === '') return;
    await new PodCidr(runtimeService, clock, logger, 'Pod CIDR update failed').update([podCidr], signal);
  }

  // Otherwise pods could use what is reserved for the system, or none could be admitted.
  private checkReservation(): void {
    if (this.machine === undefined) return;
    const capacity = nodeCapacity(this.machine, this.config);
    const fault = reservationFault(capacity, nodeReservation(capacity, this.config));
    if (fault !== undefined) throw new KubeletError(fault, { code: 'failed-precondition' });
  }

  private async refresh(): Promise<void> {
    await this.read().catch((error: unknown) => {
      this.deps.logger.warn('The machine cannot be read, keeping the last known values', { error });
    });
  }

  private async read(): Promise<void> {
    const machine = await readMachineFacts(this.config);
    // As upstream, reads the file system's size once: a grown disk counts after a restart.
    this.machine = { ...machine, rootFsBytes: this.machine?.rootFsBytes ?? machine.rootFsBytes };
    this.built = undefined;
  }
}
