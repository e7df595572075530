import { CLOCK, defineModule, needs, type AnyModule } from '@podwright/assembly-interface';
import { abortable, withDeadline } from '@podwright/concurrency';
import { DRA_DRIVER_CONNECTOR, type DraCallOptions, type DraDriverClient } from '@podwright/dra';
import { HealthStatus, type Claim } from '@podwright/dra-interface';
import { KubeletError } from '@podwright/errors';
import { withLinkedSignal, type Clock, type VirtualClock } from '@podwright/time';
import { answerOn } from './answers.js';
import { BrokenPromise } from './broken-promise.js';
import { draDriverName } from './dra-objects.js';
import { DriverFaults, type DriverFault } from './driver-faults.js';
import type { StoryPluginWatcher } from './story-plugin-watcher.js';

export type DraCall = 'prepare' | 'unprepare';
export type DraFault = DriverFault<DraCall>;

const away = (): KubeletError =>
  new KubeletError('rpc error: code = Unavailable desc = the driver is not there', { code: 'unavailable' });

/** A DRA driver of the machine. What it has prepared outlives kubelets. */
export class StoryDraDriver {
  readonly faults: DriverFaults<DraCall>;
  /** Names of the claims that it has prepared, by UID. */
  readonly prepared = new Map<string, string>();
  /** Whether a container that uses the claim runs. */
  isInUse: (claim: string) => boolean = () => false;
  onBroken: (error: BrokenPromise) => void = () => undefined;
  private readonly preparing = new Map<Promise<unknown>, readonly Claim[]>();

  private present = true;
  /** Each ends when the driver does. */
  private readonly connections = new Set<() => void>();

  constructor(
    clock: VirtualClock,
    private readonly watcher: StoryPluginWatcher,
  ) {
    this.faults = new DriverFaults(clock);
  }

  /** It comes to the machine. Call it only where kubelets have its module: others would look for a real socket. */
  arrive(): void {
    this.watcher.add('DRAPlugin', { name: draDriverName, endpoint: '/dra.sock', versions: ['v1.DRAPlugin'] });
  }

  /** It ends. What it is doing, it does to its end, as a driver whose socket is gone may. */
  leave(): void {
    this.present = false;
    for (const end of this.connections) end();
    this.connections.clear();
    this.watcher.set('DRAPlugin', false);
  }

  comeBack(): void {
    this.present = true;
    this.watcher.set('DRAPlugin', true);
  }

  /** Of each kubelet: it answers its calls. */
  readonly module: AnyModule = defineModule({
    name: 'story-dra-driver',
    provides: [DRA_DRIVER_CONNECTOR],
    needs: needs({ clock: CLOCK }),
    create:
      ({ clock }) =>
      () =>
        this.clientFor(clock),
  });

  private clientFor(clock: Clock): DraDriverClient {
    const gone = new AbortController();
    const called = <T>(work: () => Promise<T>, { timeoutMs, signal }: DraCallOptions): Promise<T> =>
      withLinkedSignal([signal, gone.signal], (either) =>
        withDeadline(clock, timeoutMs, () => answerOn(clock, this.present ? work() : Promise.reject(away())), either),
      );
    let ended = (): void => undefined;
    const end = (): void => {
      clock.setTimer(0, () => {
        gone.abort(away());
        ended();
      });
    };
    this.connections.add(end);
    return {
      prepare: (claims, options) => called(() => this.underWay(claims), options),
      unprepare: (claims, options) => called(() => this.unprepare(claims), options),
      health: async function* (signal) {
        const device = { poolName: 'node', deviceName: 'd0' };
        const health = HealthStatus.HEALTHY;
        yield [{ device, health, lastUpdatedTime: 0n, healthCheckTimeoutSeconds: 3_600n, message: '' }];
        await withLinkedSignal([signal, gone.signal], (either) =>
          abortable(new Promise<void>(() => undefined), either),
        );
      },
      keepConnected: (listener) => {
        if (!this.present) return;
        ended = () => listener(false);
        listener(true);
      },
      close: () => {
        this.connections.delete(end);
        gone.abort(away());
      },
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
