import type { PullUnderWay } from '@podwright/image-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { formatGoDuration, type Clock, type Timer } from '@podwright/time';

/** First a look after this, then after twice that, up to the longest. */
const firstRemarkMs = 10_000;
const longestRemarkMs = 60_000;

interface Entry {
  readonly image: string;
  readonly pod: Pod;
  readonly askedAtMs: number;
  pullingSinceMs: number | undefined;
}

/** One pull, from its request to its end. */
export interface PullTracker {
  /** The runtime is asked now. */
  pulling(): void;
  /** May be called twice. */
  ended(): void;
}

/**
 * Which images are waited for, in the order in which they were asked for; one that takes long is spoken of in the log, less and
 * less often. Costs a timer for each pull.
 */
export class PullsUnderWay {
  private readonly entries = new Set<Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  begin(pod: Pod, image: string): PullTracker {
    const entry: Entry = { image, pod, askedAtMs: this.clock.monotonic(), pullingSinceMs: undefined };
    this.entries.add(entry);
    let timer = this.remark(entry, firstRemarkMs, (next) => (timer = next));
    return {
      pulling: () => {
        entry.pullingSinceMs = this.clock.monotonic();
      },
      ended: () => {
        this.entries.delete(entry);
        timer.cancel();
      },
    };
  }

  list(): readonly PullUnderWay[] {
    const all = [...this.entries];
    const pulled = all.filter(({ pullingSinceMs }) => pullingSinceMs !== undefined);
    const queued = all.filter(({ pullingSinceMs }) => pullingSinceMs === undefined);
    return [
      ...pulled.map((entry) => this.describe(entry)),
      ...queued.map((entry, index) => ({ ...this.describe(entry), queuePlace: index + 1 })),
    ];
  }

  private describe({ image, pod, askedAtMs, pullingSinceMs }: Entry): PullUnderWay {
    const nowMs = this.clock.monotonic();
    return {
      image,
      podNamespace: pod.metadata.namespace ?? '',
      podName: pod.metadata.name ?? '',
      podUid: podUid(pod),
      state: pullingSinceMs === undefined ? 'queued' : 'pulling',
      waitedMs: Math.round(nowMs - askedAtMs),
      pulledMs: pullingSinceMs === undefined ? 0 : Math.round(nowMs - pullingSinceMs),
    };
  }

  private remark(entry: Entry, afterMs: number, next: (timer: Timer) => void): Timer {
    return this.clock.setTimer(afterMs, () => {
      this.say(entry);
      next(this.remark(entry, Math.min(longestRemarkMs, 2 * afterMs), next));
    });
  }

  private say(entry: Entry): void {
    const { image, pod, askedAtMs, pullingSinceMs } = entry;
    const elapsed = (sinceMs: number): string =>
      formatGoDuration(1000 * Math.round((this.clock.monotonic() - sinceMs) / 1000));
    const waited = { image, pod, elapsed: elapsed(askedAtMs) };
    if (pullingSinceMs !== undefined) {
      this.logger.info('image is still being pulled', { ...waited, pulling: elapsed(pullingSinceMs) });
      return;
    }
    const queued = [...this.entries].filter((other) => other.pullingSinceMs === undefined);
    this.logger.info('image pull waits for others', {
      ...waited,
      queuePlace: queued.indexOf(entry) + 1,
      queueLength: queued.length,
    });
  }
}
