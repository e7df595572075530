import { CLOCK, defineModule, needs, type AnyModule } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { DRA_DRIVER_CONNECTOR, type DraDriverClient } from '@podwright/dra';
import { HealthStatus, type Claim } from '@podwright/dra-interface';
import { PLUGIN_WATCHER, type PluginHandler } from '@podwright/plugin-watcher-interface';
import type { Clock, VirtualClock } from '@podwright/time';
import { BrokenPromise } from './broken-promise.js';
import { draDriverName } from './dra-objects.js';
import { DriverFaults, type DriverFault } from './driver-faults.js';

export type DraCall = 'prepare' | 'unprepare';
export type DraFault = DriverFault<DraCall>;

const plugin = { name: draDriverName, endpoint: '/dra.sock', versions: ['v1.DRAPlugin'] };
const registersAfterMs = 300;

/** A DRA driver of the machine, and the watcher that finds it. What it has prepared outlives kubelets. */
export class StoryDraDriver {
  readonly faults: DriverFaults<DraCall>;
  /** Names of the claims that it has prepared, by UID. */
  readonly prepared = new Map<string, string>();
  /** Whether a container that uses the claim runs. */
  isInUse: (claim: string) => boolean = () => false;
  onBroken: (error: BrokenPromise) => void = () => undefined;
  private readonly preparing = new Map<Promise<unknown>, readonly Claim[]>();

  constructor(clock: VirtualClock) {
    this.faults = new DriverFaults(clock);
  }

  /** Of each kubelet: it registers with it, and answers its calls. */
  readonly module: AnyModule = defineModule({
    name: 'story-dra-driver',
    provides: { watcher: PLUGIN_WATCHER, connect: DRA_DRIVER_CONNECTOR },
    needs: needs({ clock: CLOCK }),
    create: ({ clock }) => ({
      watcher: {
        start: async () => undefined,
        stop: async () => undefined,
        healthy: () => ({ ok: true as const }),
        addHandler: (type: string, handler: PluginHandler) => {
          if (type !== 'DRAPlugin') return () => undefined;
          const timer = clock.setTimer(registersAfterMs, () => {
            void handler.register(plugin, new AbortController().signal);
          });
          return () => timer.cancel();
        },
      },
      connect: () => this.clientFor(clock),
    }),
  });

  private clientFor(clock: Clock): DraDriverClient {
    // The timers of a dead kubelet never fire, so it gets no answer.
    const deliver = <T>(answer: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        answer.then(
          (value) => clock.setTimer(0, () => resolve(value)),
          (error: unknown) => clock.setTimer(0, () => reject(error as Error)),
        );
      });
    return {
      prepare: (claims, { timeoutMs, signal }) =>
        withDeadline(clock, timeoutMs, () => deliver(this.underWay(claims)), signal),
      unprepare: (claims, { timeoutMs, signal }) =>
        withDeadline(clock, timeoutMs, () => deliver(this.unprepare(claims)), signal),
      health: async function* (signal) {
        const device = { poolName: 'node', deviceName: 'd0' };
        const health = HealthStatus.HEALTHY;
        yield [{ device, health, lastUpdatedTime: 0n, healthCheckTimeoutSeconds: 3_600n, message: '' }];
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      },
      keepConnected: (listener) => listener(true),
      close: () => undefined,
    };
  }

  private underWay(claims: readonly Claim[]): ReturnType<DraDriverClient['prepare']> {
    const answer = this.prepare(claims);
    this.preparing.set(answer, claims);
    const ended = (): void => void this.preparing.delete(answer);
    answer.then(ended, ended);
    return answer;
  }

  /** A lie is another device than the one that the claim has. */
  private async prepare(claims: readonly Claim[]): ReturnType<DraDriverClient['prepare']> {
    let deviceName = 'another';
    await this.faults.disturb('prepare', async () => void (deviceName = 'd0'));
    for (const { uid, name } of claims) this.prepared.set(uid, name);
    const cdiDeviceIds = [`${draDriverName}/device=${deviceName}`];
    const device = { requestNames: [], poolName: 'node', deviceName, cdiDeviceIds };
    return { claims: Object.fromEntries(claims.map(({ uid }) => [uid, { error: '', devices: [device] }])) };
  }

  /** After a lie it has forgotten the claim: nobody could know. */
  private async unprepare(claims: readonly Claim[]): ReturnType<DraDriverClient['unprepare']> {
    const used = claims.find(({ name }) => this.isInUse(name));
    if (used !== undefined) {
      this.onBroken(new BrokenPromise('a claim in use stays prepared', `${used.name} is to be unprepared`));
    }
    // A call that nobody waits for any more still prepares the claim, and must not do so afterwards.
    const before = [...this.preparing].filter(([, others]) =>
      others.some(({ uid }) => claims.some((each) => each.uid === uid)),
    );
    await Promise.allSettled(before.map(([answer]) => answer));
    await this.faults.disturb('unprepare', async () => undefined);
    for (const { uid } of claims) this.prepared.delete(uid);
    return { claims: Object.fromEntries(claims.map(({ uid }) => [uid, { error: '' }])) };
  }
}
