import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { SocketServer, type ServerMethod } from '@podwright/grpc';
import { RegistrationSocket } from '@podwright/test-device-plugin';
import type { RegistrationStatus } from '@podwright/plugin-watcher-interface';
import type { VolumeCondition } from '@podwright/volume-csi-interface';
import { CallLog } from './calls/call-log.js';
import type { CsiCapability } from './csi-capabilities.js';
import { CsiFaults } from './faults/csi-faults.js';
import { identityMethods } from './generated/identity-server-codecs.js';
import { nodeMethods } from './generated/node-server-codecs.js';
import { faultyRpc } from './service/faulty-rpc.js';
import { IdentityRpcs } from './service/identity-rpcs.js';
import { NodeRpcs, type DriverStatements } from './service/node-rpcs.js';
import { driverSettings, type DriverSettings, type TestCsiDriverOptions } from './test-csi-driver-options.js';
import { DriverVolumes, type VolumeState } from './volumes/driver-volumes.js';
import type { VolumeRecord } from './volumes/volume-folder.js';

/** A CSI driver for one node, on real sockets and with real mounts; needs Linux and root. */
export class TestCsiDriver {
  readonly calls = new CallLog();
  readonly faults = new CsiFaults();
  private readonly settings: DriverSettings;
  private readonly volumesOfDriver: DriverVolumes;
  private readonly statements: DriverStatements;
  private root = '';
  private server: SocketServer | undefined;
  private registration: RegistrationSocket | undefined;
  private readonly statuses: RegistrationStatus[] = [];

  constructor(options: TestCsiDriverOptions) {
    this.settings = driverSettings(options);
    this.volumesOfDriver = new DriverVolumes(this.settings);
    const { capabilities, maxVolumes } = this.settings;
    this.statements = { capabilities, maxVolumes, conditions: new Map(), pretendedBytes: new Map() };
  }

  get name(): string {
    return this.settings.name;
  }

  /** The driver's socket, after the first `start`. */
  get socket(): string {
    return path.join(this.root, 'plugins', this.name, 'csi.sock');
  }

  /** What kubelets answered to registrations, in order. */
  get registrations(): readonly RegistrationStatus[] {
    return this.statuses;
  }

  /** May change while the driver runs; a kubelet asks before each use. */
  set capabilities(capabilities: readonly CsiCapability[]) {
    this.statements.capabilities = capabilities;
  }

  /** A kubelet asks at registration, and at times. */
  set maxVolumes(count: number) {
    this.statements.maxVolumes = count;
  }

  /**
   * Serves, and registers with the kubelet that has this root folder, now or when it starts. A driver that has stopped or
   * died may start again; it finds its volumes and mounts as they are.
   */
  async start(kubeletRoot: string): Promise<void> {
    this.root = kubeletRoot;
    await this.volumesOfDriver.recover();
    await mkdir(path.dirname(this.socket), { recursive: true, mode: 0o750 });
    const server = new SocketServer(this.socket);
    this.serve(server);
    await server.listen();
    this.server = server;
    const registry = path.join(kubeletRoot, 'plugins_registry');
    await mkdir(registry, { recursive: true, mode: 0o755 });
    const { name, versions } = this.settings;
    this.registration = new RegistrationSocket({
      socket: path.join(registry, `${name}-reg.sock`),
      info: { type: 'CSIPlugin', name, endpoint: this.socket, supportedVersions: [...versions] },
      notified: (status) => void this.statuses.push(status),
    });
    await this.registration.listen();
  }

  /** Ends all calls and removes the sockets; volumes stay mounted. May be called twice. */
  async stop(): Promise<void> {
    const { registration } = this;
    this.closeServer();
    await registration?.close();
    await rm(this.socket, { force: true });
  }

  /** Stops as a killed process does: calls break, the sockets' files stay. */
  die(): void {
    const { registration } = this;
    this.closeServer();
    void registration?.close({ keepSocket: true });
  }

  /** Makes a volume before a kubelet asks for it. */
  createVolume(id: string, volume: Partial<Pick<VolumeRecord, 'kind' | 'capacityBytes'>> = {}): Promise<void> {
    return this.volumesOfDriver.create(id, volume);
  }

  /** Removes a volume and its data; rejects while it is mounted. */
  deleteVolume(id: string): Promise<void> {
    return this.volumesOfDriver.remove(id);
  }

  /** All volumes, with their mounts and loop devices on this node. */
  volumes(): Promise<readonly VolumeState[]> {
    return this.volumesOfDriver.states();
  }

  /** What NodeGetVolumeStats says about the volume's health, with the capability VOLUME_CONDITION. */
  setCondition(volumeId: string, condition: VolumeCondition): void {
    this.statements.conditions.set(volumeId, condition);
  }

  /** The volume pretends to have this size and never grows; undefined ends the lie. */
  pretendCapacity(volumeId: string, bytes: number | undefined): void {
    if (bytes === undefined) this.statements.pretendedBytes.delete(volumeId);
    else this.statements.pretendedBytes.set(volumeId, bytes);
  }

  private closeServer(): void {
    this.server?.close();
    this.server = undefined;
    this.registration = undefined;
  }

  private serve(server: SocketServer): void {
    const { calls, faults, settings } = this;
    const surroundings = { calls, faults, clock: settings.clock, die: () => this.die() };
    const rpc = <Request extends object, Answer>(
      method: ServerMethod<Request, Answer>,
      work: (request: Request) => Promise<NoInfer<Answer>>,
    ): void => server.unary(method, faultyRpc(path.posix.basename(method.path), work, surroundings));
    const identity = new IdentityRpcs(settings);
    rpc(identityMethods.getPluginInfo, () => identity.getPluginInfo());
    rpc(identityMethods.getPluginCapabilities, () => identity.getPluginCapabilities());
    rpc(identityMethods.probe, () => identity.probe());
    const node = new NodeRpcs(this.volumesOfDriver, settings, this.statements);
    rpc(nodeMethods.nodeGetInfo, () => node.nodeGetInfo());
    rpc(nodeMethods.nodeGetCapabilities, () => node.nodeGetCapabilities());
    rpc(nodeMethods.nodeStageVolume, (request) => node.nodeStageVolume(request));
    rpc(nodeMethods.nodeUnstageVolume, (request) => node.nodeUnstageVolume(request));
    rpc(nodeMethods.nodePublishVolume, (request) => node.nodePublishVolume(request));
    rpc(nodeMethods.nodeUnpublishVolume, (request) => node.nodeUnpublishVolume(request));
    rpc(nodeMethods.nodeExpandVolume, (request) => node.nodeExpandVolume(request));
    rpc(nodeMethods.nodeGetVolumeStats, (request) => node.nodeGetVolumeStats(request));
  }
}
