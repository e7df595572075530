import { Mutex, withDeadline } from '@podwright/concurrency';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { MessageBus } from 'dbus-native';
import type { SystemdUnits, UnitProperty } from './systemd-units.js';
import { systemdVersionOf } from './systemd-version.js';

const systemdName = 'org.freedesktop.systemd1';
const systemdPath = '/org/freedesktop/systemd1';
const managerInterface = 'org.freedesktop.systemd1.Manager';
// Far more than a local bus needs; bounds a bus that hangs.
const callTimeoutMs = 10_000;
// Upstream's timeout for a unit to start or stop.
const jobTimeoutMs = 30_000;

/** An address of systemd. `direct`: its own socket, without a bus. */
export interface SystemdAddress {
  readonly busAddress: string;
  readonly direct?: boolean;
}

/** As upstream: the system bus first, then systemd's own socket. */
export const systemdAddresses: readonly SystemdAddress[] = [
  { busAddress: 'unix:path=/run/dbus/system_bus_socket' },
  { busAddress: 'unix:path=/run/systemd/private', direct: true },
];

export interface DbusSystemdUnitsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly addresses?: readonly SystemdAddress[];
}

type OnJobRemoved = (unit: string, job: string, result: string) => void;

/**
 * {@link SystemdUnits} over D-Bus. Connects on first use and reconnects after a loss. Source: opencontainers/cgroups
 * v0.0.6 systemd/common.go, dbus.go.
 */
export class DbusSystemdUnits implements SystemdUnits {
  private bus: MessageBus | undefined;
  private knownVersion: number | undefined;
  private readonly connecting = new Mutex();
  private readonly jobListeners = new Set<OnJobRemoved>();
  private closed = false;

  constructor(private readonly deps: DbusSystemdUnitsDeps) {}

  async version(): Promise<number> {
    if (this.knownVersion !== undefined) return this.knownVersion;
    const body = [managerInterface, 'Version'];
    try {
      const text = await this.call('org.freedesktop.DBus.Properties', 'Get', 'ss', body);
      this.knownVersion = systemdVersionOf(String(text));
    } catch (error) {
      this.deps.logger.error('unable to get systemd version', { error });
      return -1;
    }
    return this.knownVersion;
  }

  async startTransient(unit: string, properties: readonly UnitProperty[]): Promise<boolean> {
    let result: string;
    try {
      const body = [unit, 'replace', properties.map(onTheWire), []];
      result = await this.job(unit, 'create', () =>
        this.call(managerInterface, 'StartTransientUnit', 'ssa(sv)a(sa(sv))', body),
      );
    } catch (error) {
      if (isNamed(error, 'UnitExists')) return false;
      throw error;
    }
    if (result === 'done') return true;
    await this.resetFailed(unit);
    throw new KubeletError(`error creating systemd unit \`${unit}\`: got \`${result}\``, { code: 'internal' });
  }

  async setProperties(unit: string, properties: readonly UnitProperty[]): Promise<void> {
    if (properties.length === 0) return;
    const body = [unit, true, properties.map(onTheWire)];
    await this.call(managerInterface, 'SetUnitProperties', 'sba(sv)', body).catch((error: unknown) => {
      const { code } = KubeletError.from(error);
      throw new KubeletError(`unable to set unit properties: ${messageOf(error)}`, { code, cause: error });
    });
  }

  async stop(unit: string): Promise<void> {
    try {
      const result = await this.job(unit, 'remove', () =>
        this.call(managerInterface, 'StopUnit', 'ss', [unit, 'replace']),
      );
      if (result !== 'done')
        this.deps.logger.warn(`error removing unit \`${unit}\`: got \`${result}\`. Continuing...`, { unit });
    } catch (error) {
      if (!isNamed(error, 'NoSuchUnit')) throw error;
    }
    await this.resetFailed(unit);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.disconnect();
  }

  // A failed unit keeps its name until it is reset; an error means that the unit is unknown, which is fine.
  private async resetFailed(unit: string): Promise<void> {
    await this.call(managerInterface, 'ResetFailedUnit', 's', [unit]).catch(() => undefined);
  }

  // The job's end may arrive before the answer to the call that started it.
  private async job(unit: string, verb: 'create' | 'remove', call: () => Promise<unknown>): Promise<string> {
    const results = new Map<string, string>();
    let wake: () => void = () => undefined;
    const listener: OnJobRemoved = (changed, job, result) => {
      if (changed !== unit) return;
      results.set(job, result);
      wake();
    };
    this.jobListeners.add(listener);
    try {
      const job = String(await call());
      const ended = results.get(job);
      if (ended !== undefined) return ended;
      return await withDeadline(this.deps.clock, jobTimeoutMs, () => {
        return new Promise<string>((resolve) => {
          wake = () => {
            const result = results.get(job);
            if (result !== undefined) resolve(result);
          };
          wake();
        });
      }).catch((error: unknown) => {
        const message = `Timeout waiting for systemd to ${verb} ${unit}`;
        throw new KubeletError(message, { code: 'deadline-exceeded', cause: error });
      });
    } finally {
      this.jobListeners.delete(listener);
    }
  }

  // Retries once on a new connection, in case the bus was restarted: all of our calls may be repeated.
  private async call(iface: string, member: string, signature: string, body: unknown[]): Promise<unknown> {
    const message = { destination: systemdName, path: systemdPath, interface: iface, member, signature, body };
    for (let attempt = 1; ; attempt += 1) {
      const bus = await this.connected();
      try {
        return await bus.invoke<unknown>(message);
      } catch (error) {
        if (attempt > 1 || (error as { code?: unknown }).code !== 'ECONNCLOSED') throw error;
        await this.disconnect(bus);
      }
    }
  }

  private connected(): Promise<MessageBus> {
    return this.connecting.run(async () => {
      if (this.closed) throw new KubeletError('the connection to systemd is closed', { code: 'cancelled' });
      return (this.bus ??= await this.connect());
    });
  }

  private async connect(): Promise<MessageBus> {
    const { addresses = systemdAddresses } = this.deps;
    const faults: string[] = [];
    for (const address of addresses) {
      try {
        return await this.connectTo(address);
      } catch (error) {
        faults.push(`${address.busAddress}: ${messageOf(error)}`);
      }
    }
    throw new KubeletError(`failed to connect to dbus: ${faults.join('; ')}`, { code: 'unavailable' });
  }

  private async connectTo({ busAddress, direct = false }: SystemdAddress): Promise<MessageBus> {
    // Loaded on demand: nodes with the other driver save its 10 MB.
    const { createClient } = await import('dbus-native');
    const bus = createClient({ busAddress, direct, plainValues: true, timeout: callTimeoutMs });
    const lost = new Promise<never>((_, reject) => {
      const forget = (cause?: Error): void => {
        if (this.bus === bus) this.bus = undefined;
        reject(cause ?? new KubeletError('the connection was closed', { code: 'unavailable' }));
      };
      bus.connection.on('error', forget);
      bus.connection.on('close', forget);
    });
    lost.catch(() => undefined); // after the first answer nothing awaits it; later calls report the loss
    const key = bus.mangle(systemdPath, managerInterface, 'JobRemoved');
    bus.signals.on(key, ([, job, unit, result]: readonly unknown[]) => {
      for (const listener of this.jobListeners) listener(String(unit), String(job), String(result));
    });
    const rule = `type='signal',interface='${managerInterface}',member='JobRemoved',path='${systemdPath}'`;
    // Without a bus there is no name to request, and messages sent before the end of the handshake are lost.
    const ready = direct
      ? new Promise<void>((resolve) => bus.connection.once('connect', () => resolve()))
      : Promise.resolve(bus.addMatch(rule));
    const { clock } = this.deps;
    await withDeadline(clock, callTimeoutMs, () => Promise.race([ready, lost])).catch(async (error: unknown) => {
      await bus.close().catch(() => undefined);
      throw error;
    });
    return bus;
  }

  private async disconnect(bus = this.bus): Promise<void> {
    if (this.bus === bus) this.bus = undefined;
    // Errors of a connection that is given up do not matter.
    await bus?.close().catch(() => undefined);
  }
}

function onTheWire({ name, type, value }: UnitProperty): readonly unknown[] {
  return [name, [type, value]];
}

function isNamed(error: unknown, name: string): boolean {
  return (error as { dbusName?: unknown }).dbusName === `${systemdName}.${name}`;
}
