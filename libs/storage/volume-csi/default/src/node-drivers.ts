import {
  CLOCK,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  RANDOM,
  type Lifecycle,
  type Needs,
} from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { PLUGIN_WATCHER } from '@podwright/plugin-watcher-interface';
import { CSI_NODE_FAILED } from '@podwright/volume-csi-interface';
import type { AttachLimits, VolumeSpec } from '@podwright/volume-interface';
import { csiDriverConnector, RegisteredCsiClients } from './client/grpc-csi-client.js';
import { CSI_DRIVER_CONNECTOR, type CsiClients } from './client/csi-client.js';
import { OperationMetrics } from './client/operation-metrics.js';
import { InformedCsiDrivers } from './csi-drivers/informed-csi-drivers.js';
import { AllocatableUpdates } from './csi-node/allocatable-updates.js';
import { CsiAttachLimits } from './csi-node/csi-attach-limits.js';
import { CsiNodeStart } from './csi-node/csi-node-start.js';
import { NodeInfo } from './csi-node/node-info.js';
import { CsiPluginHandler } from './drivers/csi-plugin-handler.js';
import { DriverStore } from './drivers/driver-store.js';
import type { NodeDriversConfig } from './node-drivers-config.js';

export const nodeDriversNeeds = needs({
  client: pick(KUBE_CLIENT, 'get', 'create', 'update', 'patch', 'delete', 'inform'),
  node: pick(REGISTERED_NODE, 'current', 'watch'),
  clock: CLOCK,
  random: RANDOM,
  metrics: METRICS,
  logger: LOGGER,
  /** Without it no driver can register. */
  watcher: optional(pick(PLUGIN_WATCHER, 'addHandler')),
  failed: optional(CSI_NODE_FAILED),
  /** Connects to drivers. Default: gRPC on their unix sockets. */
  connect: optional(CSI_DRIVER_CONNECTOR),
});
export type NodeDriversNeeds = Needs<typeof nodeDriversNeeds>;

/** The CSI drivers of this node: they register, and CSINode and Node show what they say about the node. */
export class NodeDrivers implements AttachLimits, Lifecycle {
  readonly objects: InformedCsiDrivers;
  readonly clients: CsiClients;
  private readonly limits: AttachLimits;
  private readonly handler: CsiPluginHandler;
  private readonly updates: AllocatableUpdates;
  private readonly csiNode: CsiNodeStart;
  private readonly stopping = new AbortController();
  private readonly ends: (() => void)[] = [];
  private initialization: Promise<void> | undefined;

  constructor(
    private readonly deps: NodeDriversNeeds,
    { nodeName }: NodeDriversConfig,
  ) {
    const { client, clock, random, metrics, node, logger, failed = () => undefined } = deps;
    const drivers = new DriverStore();
    const objects = new InformedCsiDrivers(client);
    const { connect = csiDriverConnector({ clock, metrics: new OperationMetrics(metrics) }) } = deps;
    const clients = new RegisteredCsiClients(drivers, connect);
    const nodeInfo = new NodeInfo({ client, clock, random, logger }, nodeName);
    const updates = new AllocatableUpdates({ clock, logger, clients, drivers, objects, nodeInfo });
    const changed = (driver: string): void => updates.sync(driver);
    this.handler = new CsiPluginHandler({ clock, logger, drivers, clients, nodeInfo, node, changed });
    this.csiNode = new CsiNodeStart({ client, node, clock, random, logger, nodeInfo, failed }, nodeName);
    this.limits = new CsiAttachLimits({ client, objects, updates, logger }, nodeName);
    [this.objects, this.clients, this.updates] = [objects, clients, updates];
  }

  async start(): Promise<void> {
    if (this.initialization !== undefined || this.stopping.signal.aborted) return;
    this.ends.push(this.objects.watch((driver) => this.updates.sync(driver)));
    await this.objects.start();
    if (this.deps.watcher !== undefined) this.ends.push(this.deps.watcher.addHandler('CSIPlugin', this.handler));
    this.initialization = this.csiNode.run(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the CSI plugin is stopping', { code: 'cancelled' }));
    for (const end of this.ends.splice(0)) end();
    await Promise.all([this.initialization, this.updates.stop(), this.objects.stop()]);
  }

  exceeded(spec: VolumeSpec, signal: AbortSignal): Promise<boolean> {
    return this.limits.exceeded(spec, signal);
  }

  /** Why the node is not Ready; undefined once the CSINode is initialized. */
  notReady(): string | undefined {
    return this.csiNode.notReady();
  }
}
