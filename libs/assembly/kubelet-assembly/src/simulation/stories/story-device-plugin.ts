import { abortable, withDeadline } from '@podwright/concurrency';
import type { DevicePluginClient, ListedDevice } from '@podwright/device-manager';
import { KubeletError } from '@podwright/errors';
import { withLinkedSignal, type Clock, type VirtualClock } from '@podwright/time';
import { answerOn } from './answers.js';
import { devicePath, devicesOf, type DeviceResource } from './device-objects.js';
import { DriverFaults, gone, type DriverFault } from './driver-faults.js';

export const deviceCalls = ['options', 'list', 'preferred', 'allocate', 'preStart'] as const;
export type DeviceCall = (typeof deviceCalls)[number];
export type DeviceFault = DriverFault<DeviceCall>;

/** The plugin of one resource. What it has allocated, it forgets: the kubelet must know it. */
export class StoryDevicePlugin {
  readonly faults: DriverFaults<DeviceCall>;
  /** Whether it runs. */
  present = true;
  /** Calls when a kubelet has had its devices for a while. */
  onKnown: () => void = () => undefined;
  private readonly missing = new Map<string, 'unhealthy' | 'unlisted'>();
  private readonly connections = new Set<Connection>();

  constructor(
    readonly resource: DeviceResource,
    clock: VirtualClock,
  ) {
    this.faults = new DriverFaults(clock);
  }

  /** Connects a kubelet that has this clock. */
  connect(clock: Clock): DevicePluginClient {
    if (!this.present) throw gone();
    const connection = new Connection(this, clock);
    this.connections.add(connection);
    return connection;
  }

  get devices(): readonly ListedDevice[] {
    return devicesOf(this.resource)
      .filter((id) => this.missing.get(id) !== 'unlisted')
      .map((id) => ({ id, health: this.missing.has(id) ? 'Unhealthy' : 'Healthy', numaNodes: [] }));
  }

  /** Something happens to a device; `undefined`: it is well again. */
  change(id: string, become: 'unhealthy' | 'unlisted' | undefined): void {
    if (become === undefined) this.missing.delete(id);
    else this.missing.set(id, become);
    for (const connection of this.connections) connection.listAgain();
  }

  leave(): void {
    this.present = false;
    for (const connection of this.connections) connection.end();
    this.connections.clear();
  }

  heal(): void {
    this.faults.clear();
    for (const id of [...this.missing.keys()]) this.change(id, undefined);
  }
}

type Allocated = NonNullable<Awaited<ReturnType<DevicePluginClient['allocate']>>>;

const nothing: Allocated = { envs: {}, mounts: [], devices: [], annotations: {}, cdiDevices: [] };
const knownAfterMs = 3_000;

/** A kubelet's connection to it. */
class Connection implements DevicePluginClient {
  private readonly ended = new AbortController();
  private wake: () => void = () => undefined;

  constructor(
    private readonly plugin: StoryDevicePlugin,
    private readonly clock: Clock,
  ) {}

  options(signal: AbortSignal): ReturnType<DevicePluginClient['options']> {
    const isCard = this.plugin.resource === 'devices.test/card';
    const options = { preStartRequired: !isCard, getPreferredAllocationAvailable: isCard };
    return this.call('options', signal, options, options);
  }

  async *lists(signal: AbortSignal): AsyncGenerator<readonly ListedDevice[], void, undefined> {
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.wake = resolve));
      await this.call('list', signal, undefined, undefined);
      yield this.plugin.devices;
      const known = this.clock.setTimer(knownAfterMs, () => this.plugin.onKnown());
      await withLinkedSignal([signal, this.ended.signal], (either) => abortable(changed, either)).finally(() =>
        known.cancel(),
      );
    }
  }

  allocate(ids: readonly string[], signal: AbortSignal): ReturnType<DevicePluginClient['allocate']> {
    const devices = ids.map((id) => ({ hostPath: devicePath(id), containerPath: devicePath(id), permissions: 'rw' }));
    // A lie is an answer for no container.
    return this.call('allocate', signal, { ...nothing, devices }, undefined);
  }

  /** The last of them. A lie has devices that are not there, or not to be had. */
  preferred(
    available: readonly string[],
    mustInclude: readonly string[],
    size: number,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const others = available.filter((id) => !mustInclude.includes(id)).reverse();
    const preferred = [...mustInclude, ...others].slice(0, size);
    return this.call('preferred', signal, preferred, ['nobody-has-this', ...devicesOf(this.plugin.resource)]);
  }

  async preStart(_ids: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    const call = (): Promise<void> => this.call('preStart', signal, undefined, undefined);
    await withDeadline(this.clock, timeoutMs, call, signal);
  }

  close(): void {
    this.ended.abort(
      new KubeletError('rpc error: code = Canceled desc = the connection is closing', { code: 'cancelled' }),
    );
  }

  listAgain(): void {
    this.clock.setTimer(0, () => this.wake());
  }

  /** The plugin ends, and its kubelet notices. */
  end(): void {
    this.clock.setTimer(0, () => this.ended.abort(gone()));
  }

  private call<T>(name: DeviceCall, signal: AbortSignal, answer: T, lie: T): Promise<T> {
    let given = lie;
    const done = this.plugin.faults.disturb(name, async () => void (given = answer)).then(() => given);
    return withLinkedSignal([signal, this.ended.signal], (either) => abortable(answerOn(this.clock, done), either));
  }
}
