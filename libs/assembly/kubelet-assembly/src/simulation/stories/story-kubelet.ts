import type { VirtualClock } from '@podwright/time';
import type { SimulatedNode } from '../simulated-node.js';
import type { MachineDisk } from './machine-disk.js';
import { BrokenPromise } from './broken-promise.js';

export interface StoryKubeletDeps {
  readonly node: SimulatedNode;
  readonly clock: VirtualClock;
  readonly disk: MachineDisk;
  readonly staticPodPath: string;
  note(line: string): void;
  /** Ends the story. */
  fail(error: unknown): void;
}

const stopLimitMs = 60_000;

/** The kubelet of a story: it is killed, stopped and started again, as a service manager does it. */
export class StoryKubelet {
  /** When the newest one began to start. */
  bootedAtMs = 0;
  private incarnation = 0;
  private startsAtMs: number | undefined;
  private callsUntilDeath: number | undefined;
  private onDeath = (): void => undefined;

  constructor(private readonly deps: StoryKubeletDeps) {}

  /** When the next one is to start; undefined while one runs. */
  get bootAtMs(): number | undefined {
    return this.startsAtMs;
  }

  /** Whether a kubelet has ended. */
  get hadAnEnd(): boolean {
    return this.incarnation > 1;
  }

  boot(): void {
    const { node, clock, disk, staticPodPath, note } = this.deps;
    const incarnation = ++this.incarnation;
    this.startsAtMs = undefined;
    this.bootedAtMs = clock.monotonic();
    disk.open = true;
    note('a kubelet starts');
    node.bootMeanwhile({ staticPodPath }).catch((error: unknown) => {
      if (incarnation !== this.incarnation) return;
      note(`the kubelet does not start: ${String(error)}`);
      this.kill(undefined, 0, 5_000);
    });
  }

  /** Starts the next one if it is time. */
  bootIfDue(): void {
    if (this.startsAtMs !== undefined && this.startsAtMs <= this.deps.clock.monotonic()) this.boot();
  }

  /** Kills the kubelet now or later; a new one starts `downMs` after. */
  kill(after: 'file-operations' | 'runtime-calls' | undefined, count: number, downMs: number): void {
    const { node, clock, disk, note } = this.deps;
    const die = (): void => {
      if (this.startsAtMs !== undefined) return;
      note('the kubelet is killed');
      disk.open = false;
      this.callsUntilDeath = undefined;
      this.incarnation++;
      node.die();
      this.startsAtMs = clock.monotonic() + downMs;
    };
    if (after === undefined) return die();
    if (after === 'file-operations') return disk.dieAfter(count, die);
    this.callsUntilDeath = count;
    this.onDeath = die;
  }

  /** Ends it as SIGTERM does; a new one starts `downMs` after its end. `idle`: it does nothing that may outlast its stop. */
  stop(downMs: number, idle = false): void {
    const { node, clock, disk, note, fail } = this.deps;
    if (!node.isUp) return;
    const incarnation = this.incarnation;
    const limit = clock.setTimer(stopLimitMs, () => {
      if (incarnation === this.incarnation) fail(new BrokenPromise('the kubelet stops', 'it does not stop'));
    });
    void node.stopMeanwhile().then(() => {
      limit.cancel();
      if (incarnation !== this.incarnation) return;
      this.incarnation++;
      note('the kubelet has stopped');
      if (idle && node.kubeletTimers > 0) {
        fail(new BrokenPromise('a stopped kubelet leaves nothing', `${node.kubeletTimers} timers are left`));
      }
      disk.open = false;
      this.startsAtMs = clock.monotonic() + downMs;
    });
  }

  /** Is told of each call to the runtime, before it takes effect: one of them may be the last of this kubelet. */
  onRuntimeCall(): void {
    if (this.callsUntilDeath === undefined || this.callsUntilDeath-- > 0) return;
    this.callsUntilDeath = undefined;
    this.onDeath();
  }

  /** Nothing kills it any more; one that is down starts at once. */
  heal(): void {
    this.callsUntilDeath = undefined;
    if (this.startsAtMs !== undefined) this.startsAtMs = this.deps.clock.monotonic();
  }
}
