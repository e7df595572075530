import { CLOCK, LOGGER, decodeOptions } from '@podwright/assembly-interface';
import { RUNTIME_STATE, type RuntimeState } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION, type RuntimeConnection } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Node } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { declaredFeatures, type NodeSource } from '@podwright/node-status-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { initialNode } from './initial-node.js';
import { nodeReservation, reservationFault } from './node-allocatable.js';
import { nodeCapacity } from './node-capacity.js';
import { LOCAL_NODE_CONFIG, localNodeConfigSchema, type LocalNodeConfig } from './local-node-config.js';
import { readMachineFacts, type MachineFacts } from '@podwright/machine';

type Runtime = Pick<RuntimeState, 'features' | 'handlers'>;
type Connection = Pick<RuntimeConnection, 'runtimeName' | 'runtimeVersion'>;

/** {@link NodeSource} without an API server: the node that the kubelet itself would register. */
@injectable()
export class LocalNode implements NodeSource {
  private readonly stopping = new AbortController();
  private machine: MachineFacts | undefined;
  private refreshing: Promise<void> = Promise.resolve();
  private started: Promise<void> | undefined;
  private built:
    | { readonly node: Node; readonly features: unknown; readonly handlers: unknown; readonly version: string }
    | undefined;

  constructor(
    @inject(RUNTIME_STATE) private readonly runtime: Runtime,
    @inject(RUNTIME_CONNECTION) private readonly connection: Connection,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(LOCAL_NODE_CONFIG) private readonly config: LocalNodeConfig,
  ) {}

  /** Resolves when the machine has been read. Rejects when more of it is reserved than there is. */
  start(): Promise<void> {
    this.started ??= this.begin();
    return this.started;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.refreshing;
  }

  /** A new object only when the machine or what the runtime says has changed. */
  getNode(): Node {
    const { machine } = this;
    if (machine === undefined) {
      throw new KubeletError('the machine has not been read yet', { code: 'unavailable' });
    }
    const [features, handlers, version] = [
      this.runtime.features(),
      this.runtime.handlers(),
      this.connection.runtimeVersion,
    ];
    const { built } = this;
    if (built?.features === features && built?.handlers === handlers && built.version === version) return built.node;
    const node = initialNode(this.config, machine, {
      name: this.connection.runtimeName,
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
    const { featureGates, cpuManagerPolicy } = this.config;
    return declaredFeatures({
      enabled: (gate) => featureGates.includes(gate),
      cpuManagerPolicy,
      userNamespacesHostNetwork: this.runtime.features()?.userNamespacesHostNetwork ?? false,
    });
  }

  private async begin(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    await this.read();
    this.checkReservation();
    const { signal } = this.stopping;
    this.refreshing = (async () => {
      await this.clock.sleep(this.config.refreshPeriodMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.clock.every(this.config.refreshPeriodMs, () => this.refresh(), signal);
    })();
  }

  // Nothing could be admitted, and pods might get what the system was promised.
  private checkReservation(): void {
    if (this.machine === undefined) return;
    const capacity = nodeCapacity(this.machine, this.config);
    const fault = reservationFault(capacity, nodeReservation(capacity, this.config));
    if (fault !== undefined) throw new KubeletError(fault, { code: 'failed-precondition' });
  }

  private async refresh(): Promise<void> {
    await this.read().catch((error: unknown) => {
      this.logger.warn('The machine cannot be read, what it was before stands', { error });
    });
  }

  private async read(): Promise<void> {
    const machine = await readMachineFacts(this.config);
    // The size of the file system is read once, as upstream does: a grown disk counts after a restart.
    this.machine = { ...machine, rootFsBytes: this.machine?.rootFsBytes ?? machine.rootFsBytes };
    this.built = undefined;
  }
}

export interface LocalNodeDeps {
  readonly runtime: Runtime;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export function createLocalNode(
  { runtime, connection, clock, logger }: LocalNodeDeps,
  options: Partial<LocalNodeConfig> & Pick<LocalNodeConfig, 'nodeName'>,
): NodeSource {
  const config = decodeOptions('node-status', localNodeConfigSchema, options);
  return new LocalNode(runtime, connection, clock, logger, config);
}
