import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { NodePrepareResourceResponse } from '@podwright/dra-interface';
import { SocketServer, type ServerMethod } from '@podwright/grpc';
import { withFault, type RpcCall } from '@podwright/plugin-faults';
import type { RegistrationStatus } from '@podwright/plugin-watcher-interface';
import { RegistrationSocket } from '@podwright/test-device-plugin';
import { CdiSpecs } from './claims/cdi-spec.js';
import { DraFaults, type DraCall, type DraFault } from './faults/dra-faults.js';
import { dRAResourceHealthMethods } from './generated/dra-health-server-codecs.js';
import { draPluginMethods } from './service/dra-plugin-methods.js';
import { ClaimRpcs } from './service/claim-rpcs.js';
import { HealthRpc } from './service/health-rpc.js';
import { distorted, isPluginFault } from './service/wrong-answers.js';
import { PublishedSlice } from './slices/published-slice.js';
import type { DeviceHealthText } from './test-dra-device.js';
import { driverSettings, type DraDriverSettings, type TestDraDriverOptions } from './test-dra-driver-options.js';

const noDevices: NodePrepareResourceResponse = { devices: [], error: '' };
const mostCalls = 10_000;

interface ClaimNames {
  readonly claims: readonly { readonly name: string }[];
}

/** A DRA driver for one node, on real sockets. */
export class TestDraDriver {
  readonly faults = new DraFaults();
  /** The calls about claims, oldest first; it keeps the last 10000. */
  readonly calls: DraCall[] = [];
  /** What kubelets answered to registrations, in order. */
  readonly registrations: RegistrationStatus[] = [];
  /** What the API server answered when the driver could not publish its slice. */
  readonly sliceErrors: unknown[] = [];
  private readonly settings: DraDriverSettings;
  private readonly specs: CdiSpecs;
  private readonly rpcs: ClaimRpcs;
  private readonly health: HealthRpc;
  private readonly slice: PublishedSlice;
  private server: SocketServer | undefined;
  private registration: RegistrationSocket | undefined;

  constructor(options: TestDraDriverOptions) {
    this.settings = driverSettings(options);
    this.specs = new CdiSpecs(options.cdiDir, options.name);
    this.rpcs = new ClaimRpcs(this.settings, this.specs);
    this.health = new HealthRpc(this.settings);
    this.slice = new PublishedSlice(this.settings, (error) => this.sliceErrors.push(error));
  }

  get name(): string {
    return this.settings.name;
  }

  /** `namespace/name` of every claim that is prepared, also by an earlier process. */
  prepared(): Promise<readonly string[]> {
    return this.specs.claims();
  }

  /**
   * Serves, publishes the ResourceSlice, and registers with the kubelet that has this root folder, now or when it starts.
   * A driver that has stopped or died may start again, also under another name of its socket.
   */
  async start(kubeletRoot: string, { socketName = 'dra.sock' } = {}): Promise<void> {
    const { name, services } = this.settings;
    const socket = path.join(kubeletRoot, 'plugins', name, socketName);
    await mkdir(path.dirname(socket), { recursive: true, mode: 0o750 });
    const server = new SocketServer(socket);
    this.serve(server);
    await server.listen();
    this.server = server;
    this.slice.start();
    const registry = path.join(kubeletRoot, 'plugins_registry');
    await mkdir(registry, { recursive: true, mode: 0o755 });
    this.registration = new RegistrationSocket({
      socket: path.join(registry, `${name}-reg.sock`),
      info: { type: 'DRAPlugin', name, endpoint: socket, supportedVersions: [...services] },
      notified: (status) => void this.registrations.push(status),
    });
    await this.registration.listen();
  }

  /** Ends all calls and removes the sockets; prepared claims stay prepared. May be called twice. */
  async stop(): Promise<void> {
    const { registration, server } = this;
    this.closeServer();
    await registration?.close();
    if (server !== undefined) await rm(server.socket, { force: true });
    await this.slice.stop();
  }

  /** Stops as a killed process does: calls break, the sockets' files stay. */
  async die(): Promise<void> {
    const { registration } = this;
    this.closeServer();
    await registration?.close({ keepSocket: true });
    await this.slice.stop();
  }

  /** Tells the kubelet. Throws for a device that the driver does not have. */
  setHealth(device: string, health: DeviceHealthText, message = ''): void {
    this.health.set(device, health, message);
  }

  /** Ends the health streams alone; a kubelet opens a new one after a while. */
  endHealthStreams(): void {
    this.health.endStreams();
  }

  private closeServer(): void {
    this.health.endStreams();
    this.server?.close();
    this.server = undefined;
    this.registration = undefined;
  }

  private serve(server: SocketServer): void {
    const { rpcs, health, settings } = this;
    for (const service of settings.services) {
      const methods = draPluginMethods(service);
      this.rpc(server, methods.nodePrepareResources, 'NodePrepareResources', async ({ claims }, fault) =>
        distorted(await rpcs.prepare(claims), noDevices, fault),
      );
      this.rpc(server, methods.nodeUnprepareResources, 'NodeUnprepareResources', async ({ claims }, fault) =>
        distorted(await rpcs.unprepare(claims), { error: '' }, fault),
      );
    }
    if (settings.health) server.stream(dRAResourceHealthMethods.nodeWatchResources, (stream) => health.open(stream));
  }

  private rpc<Request extends ClaimNames, Answer>(
    server: SocketServer,
    method: ServerMethod<Request, Answer>,
    rpc: DraCall['rpc'],
    work: (request: Request, fault: DraFault | undefined) => Promise<NoInfer<Answer>>,
  ): void {
    const surroundings = { clock: this.settings.clock, die: () => void this.die() };
    server.unary(method, (request: Request, call: RpcCall) => {
      const noted: DraCall = { rpc, claims: request.claims.map(({ name }) => name) };
      this.calls.push(noted);
      if (this.calls.length > mostCalls) this.calls.shift();
      const fault = this.faults.take(noted);
      const before = fault !== undefined && isPluginFault(fault) ? fault : undefined;
      return withFault(before, call, () => work(request, fault), surroundings);
    });
  }
}
