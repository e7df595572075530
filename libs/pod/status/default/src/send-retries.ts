import { WorkQueue } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { KubeClient } from '@podwright/kube-client-interface';
import { TroubleLog, type Logger } from '@podwright/logging';
import { jitter, type Clock, type Random, type Timer } from '@podwright/time';

const firstRetryMs = 500;

export interface SendRetriesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly client: Pick<KubeClient, 'server'>;
  readonly longestPauseMs: number;
  /** A pause of all sending is over. */
  readonly onPauseOver: () => void;
}

/**
 * When what failed is sent again: each pod after a pause of its own; while the server is away nothing is sent for a pause, and
 * then one pod at a time finds out whether it is back.
 */
export class SendRetries {
  private readonly queue: WorkQueue<string>;
  private readonly attempts = new Map<string, number>();
  private readonly trouble: TroubleLog;
  private outage: { tries: number; pause: Timer | undefined } | undefined;

  constructor(private readonly deps: SendRetriesDeps) {
    this.queue = new WorkQueue<string>({ clock: deps.clock });
    this.trouble = new TroubleLog(deps.logger, deps.clock);
  }

  /** Calls `listener` with the UID of each pod whose pause is over. Returns unsubscribe. */
  watch(listener: (uid: string) => void): () => void {
    return this.queue.watch(listener);
  }

  /** How many may be sent at a time, of `most`. */
  places(most: number): number {
    if (this.outage === undefined) return most;
    return this.outage.pause === undefined ? 1 : 0;
  }

  succeeded(uid: string): void {
    this.forget(uid);
    this.outage?.pause?.cancel();
    this.outage = undefined;
    if (this.attempts.size === 0) this.trouble.over('Statuses of pods reach the API server again');
  }

  /** `pod` is its name in logs. True: the server is away, and the pod is to wait with all others. */
  failed(uid: string, pod: string, error: unknown): boolean {
    const attempts = (this.attempts.get(uid) ?? 0) + 1;
    this.attempts.set(uid, attempts);
    const { code } = KubeletError.from(error);
    const message = `Failed to update status for pod; it is sent again until ${this.deps.client.server} takes it`;
    this.trouble.failed(code, message, { pod, error: messageOf(error) });
    if (!hasCode(error, 'unavailable') && !hasCode(error, 'deadline-exceeded')) {
      this.queue.enqueue(uid, this.pauseMs(attempts));
      return false;
    }
    if (this.outage?.pause === undefined) this.pause((this.outage?.tries ?? 0) + 1);
    return true;
  }

  /** UIDs of pods that failed last time. */
  podUids(): readonly string[] {
    return [...this.attempts.keys()];
  }

  /** The next failure counts as the first. */
  reset(uid: string): void {
    this.attempts.delete(uid);
  }

  forget(uid: string): void {
    this.attempts.delete(uid);
    this.queue.delete(uid);
  }

  stop(): void {
    this.outage?.pause?.cancel();
    this.queue.clear();
  }

  private pause(tries: number): void {
    const pause = this.deps.clock.setTimer(this.pauseMs(tries), () => {
      this.outage = { tries, pause: undefined };
      this.deps.onPauseOver();
    });
    this.outage = { tries, pause };
  }

  private pauseMs(tries: number): number {
    const { random, longestPauseMs } = this.deps;
    return jitter(random, Math.min(longestPauseMs, firstRetryMs * 2 ** Math.min(tries - 1, 10)), 0.5);
  }
}
