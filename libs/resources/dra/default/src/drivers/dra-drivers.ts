import type { Claim, NodePrepareResourcesResponse, NodeUnprepareResourcesResponse } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { DraMetrics } from '../dra-metrics.js';
import { methodsOf, type ConnectDraDriver, type DraDriverClient, type DraService } from './dra-driver-client.js';

/** The plugin of a driver that is called. */
export interface DraDriver {
  readonly name: string;
  prepare(claims: readonly Claim[], signal?: AbortSignal): Promise<NodePrepareResourcesResponse>;
  unprepare(claims: readonly Claim[], signal?: AbortSignal): Promise<NodeUnprepareResourcesResponse>;
}

export interface DraDriversDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DraMetrics;
  readonly connect: ConnectDraDriver;
  readonly callTimeoutMs: number;
  /** Called after each change of a driver; `usable`: at least one of its plugins is connected. */
  readonly onChange: (driver: string, usable: boolean) => void;
  /** Reads the health of the driver's devices until the signal aborts. */
  readonly watchHealth: (driver: string, client: DraDriverClient, signal: AbortSignal) => Promise<void>;
}

/**
 * The registered plugins of each driver, in the order of their registration. An update of a driver may run two at a time.
 * Source: kubernetes v1.36 pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go.
 */
export class DraDrivers {
  private readonly plugins = new Map<string, readonly RegisteredPlugin[]>();
  private readonly watches = new Set<Promise<void>>();

  constructor(private readonly deps: DraDriversDeps) {}

  /** The newest plugin that is connected, else the newest. Throws when there is none. */
  get(driver: string): DraDriver {
    if (driver === '') throw new KubeletError('DRA driver name is empty', { code: 'invalid-argument' });
    const plugins = this.plugins.get(driver) ?? [];
    const plugin = plugins.findLast(({ connected }) => connected) ?? plugins.at(-1);
    if (plugin !== undefined) return plugin;
    throw new KubeletError(`DRA driver ${driver} is not registered`, { code: 'unavailable' });
  }

  /** Throws when a plugin of the driver has this endpoint already. */
  add(driver: string, endpoint: string, service: DraService): void {
    const plugins = this.plugins.get(driver) ?? [];
    if (plugins.some((plugin) => plugin.endpoint === endpoint)) {
      const message = `endpoint ${endpoint} already registered for DRA driver plugin ${driver}`;
      throw new KubeletError(message, { code: 'already-exists' });
    }
    const plugin = new RegisteredPlugin(this.deps, { driver, endpoint, service });
    this.plugins.set(driver, [...plugins, plugin]);
    plugin.client.keepConnected((connected) => {
      if (plugin.gone.signal.aborted) return;
      this.deps.logger.debug(2, 'Connection changed', { driverName: driver, endpoint, connected });
      plugin.connected = connected;
      this.changed(driver);
    });
    const watch = this.deps
      .watchHealth(driver, plugin.client, plugin.gone.signal)
      .finally(() => this.watches.delete(watch));
    this.watches.add(watch);
    this.deps.logger.debug(3, 'Registered DRA plugin', { driverName: driver, endpoint, chosenService: service });
    this.changed(driver);
  }

  remove(driver: string, endpoint: string): void {
    const plugins = this.plugins.get(driver) ?? [];
    const plugin = plugins.find((candidate) => candidate.endpoint === endpoint);
    if (plugin === undefined) return;
    const others = plugins.filter((other) => other !== plugin);
    if (others.length === 0) this.plugins.delete(driver);
    else this.plugins.set(driver, others);
    plugin.leave();
    this.deps.logger.debug(3, 'Unregistered DRA plugin', { driverName: driver, endpoint });
    this.changed(driver);
  }

  /** Ends all connections. Running calls reject. */
  async stop(): Promise<void> {
    for (const plugin of [...this.plugins.values()].flat()) plugin.leave();
    this.plugins.clear();
    await Promise.all(this.watches);
  }

  private changed(driver: string): void {
    this.deps.onChange(driver, this.plugins.get(driver)?.some(({ connected }) => connected) ?? false);
  }
}

class RegisteredPlugin implements DraDriver {
  readonly name: string;
  readonly endpoint: string;
  readonly client: DraDriverClient;
  readonly gone = new AbortController();
  connected = false;
  private readonly methods: ReturnType<typeof methodsOf>;

  constructor(
    private readonly deps: DraDriversDeps,
    { driver, endpoint, service }: { readonly driver: string; readonly endpoint: string; readonly service: DraService },
  ) {
    [this.name, this.endpoint] = [driver, endpoint];
    this.client = deps.connect(endpoint, service);
    this.methods = methodsOf(service);
  }

  prepare(claims: readonly Claim[], signal?: AbortSignal): Promise<NodePrepareResourcesResponse> {
    const call = this.client.prepare(claims, { timeoutMs: this.deps.callTimeoutMs, signal });
    return this.measured(this.methods.nodePrepareResources.path, call);
  }

  unprepare(claims: readonly Claim[], signal?: AbortSignal): Promise<NodeUnprepareResourcesResponse> {
    const call = this.client.unprepare(claims, { timeoutMs: this.deps.callTimeoutMs, signal });
    return this.measured(this.methods.nodeUnprepareResources.path, call);
  }

  leave(): void {
    this.gone.abort(new KubeletError('the DRA driver plugin is gone', { code: 'cancelled' }));
    this.client.close();
  }

  private async measured<T>(method: string, call: Promise<T>): Promise<T> {
    const startedMs = this.deps.clock.monotonic();
    const observe = (error?: unknown): void =>
      this.deps.metrics.called({ driver: this.name, method, startedMs, error });
    try {
      const answer = await call;
      observe();
      return answer;
    } catch (error) {
      observe(error);
      throw error;
    }
  }
}
