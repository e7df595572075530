import { defineModule, type AnyModule } from '@podwright/assembly-interface';
import { DRA_DRIVER_CONNECTOR, type DraDriverClient } from '@podwright/dra';
import { HealthStatus, type Claim, type DeviceHealth } from '@podwright/dra-interface';
import { PLUGIN_WATCHER, type PluginHandler } from '@podwright/plugin-watcher-interface';

const name = 'gpu.example.com';

/** A driver in this process, and the watcher that finds it: the simulation has no sockets. It outlives the kubelets. */
export class ScriptedDraDriver {
  /** `prepare db`, `unprepare db`. */
  readonly calls: string[] = [];
  /** The answers to the next claims. */
  readonly faults: string[] = [];
  /** What it reports of its device, to each kubelet that asks. */
  healthy = true;
  private handler: PluginHandler | undefined;

  /** Of each kubelet. */
  readonly module: AnyModule = defineModule({
    name: 'scripted-dra-driver',
    provides: { watcher: PLUGIN_WATCHER, connect: DRA_DRIVER_CONNECTOR },
    create: () => ({
      watcher: {
        start: async () => undefined,
        stop: async () => undefined,
        healthy: () => ({ ok: true as const }),
        addHandler: (type: string, handler: PluginHandler) => {
          if (type === 'DRAPlugin') this.handler = handler;
          return () => undefined;
        },
      },
      connect: () => this.client(),
    }),
  });

  /** Registers with the kubelet that runs. */
  async register(): Promise<void> {
    const plugin = { name, endpoint: '/dra.sock', versions: ['v1.DRAPlugin'] };
    await this.handler?.register(plugin, new AbortController().signal);
  }

  private client(): DraDriverClient {
    const called = <T>(call: string, claims: readonly Claim[], answer: (error: string, claim: Claim) => T) => {
      this.calls.push(`${call} ${claims.map((claim) => claim.name).join(' ')}`);
      const error = this.faults.shift() ?? '';
      return { claims: Object.fromEntries(claims.map((claim) => [claim.uid, answer(error, claim)])) };
    };
    const device = { requestNames: [], poolName: 'node', deviceName: 'd0', cdiDeviceIds: [`${name}/device=d0`] };
    return {
      prepare: async (claims) =>
        called('prepare', claims, (error) => ({ error, devices: error === '' ? [device] : [] })),
      unprepare: async (claims) => called('unprepare', claims, (error) => ({ error })),
      health: (signal) => this.reports(signal),
      keepConnected: (listener) => listener(true),
      close: () => undefined,
    };
  }

  private async *reports(signal: AbortSignal): AsyncGenerator<readonly DeviceHealth[], void, undefined> {
    const health = this.healthy ? HealthStatus.HEALTHY : HealthStatus.UNHEALTHY;
    const device = { poolName: 'node', deviceName: 'd0' };
    yield [{ device, health, lastUpdatedTime: 0n, healthCheckTimeoutSeconds: 3_600n, message: '' }];
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }
}
