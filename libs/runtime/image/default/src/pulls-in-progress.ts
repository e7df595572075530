import type { PullInProgress } from '@podwright/image-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { formatGoDuration, GrowingPause, type Clock, type Timer } from '@podwright/time';

/** Delay before the first log line of a slow pull; it doubles up to the longest. */
const firstRemarkMs = 10_000;
const longestRemarkMs = 60_000;

interface Entry {
  readonly image: string;
  readonly pod: Pod;
  readonly askedAtMs: number;
  pullingSinceMs: number | undefined;
}

/** Follows one pull from the request to the end. */
export interface PullTracker {
  /** Call when the runtime starts the pull. */
  pulling(): void;
  /** Call at the end; a second call does nothing. */
  ended(): void;
}

/**
 * The images that pods wait for, in order of the requests. Logs slow pulls, less and less often. Costs one timer per
 * pull.
 */
export class PullsInProgress {
  private readonly entries = new Set<Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  begin(pod: Pod, image: string): PullTracker {
    const entry: Entry = { image, pod, askedAtMs: this.clock.monotonic(), pullingSinceMs: undefined };
    this.entries.add(entry);
    const pause = new GrowingPause({ firstMs: firstRemarkMs, longestMs: longestRemarkMs });
    let timer = this.remark(entry, pause, (next) => (timer = next));
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

  list(): readonly PullInProgress[] {
    const all = [...this.entries];
    const pulled = all.filter(({ pullingSinceMs }) => pullingSinceMs !== undefined);
    const queued = all.filter(({ pullingSinceMs }) => pullingSinceMs === undefined);
    return [
      ...pulled.map((entry) => this.describe(entry)),
      ...queued.map((entry, index) => ({ ...this.describe(entry), queuePlace: index + 1 })),
    ];
  }

  private describe({ image, pod, askedAtMs, pullingSinceMs }: Entry): PullInProgress {
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

  private remark(entry: Entry, pause: GrowingPause, next: (timer: Timer) => void): Timer {
    return this.clock.setTimer(pause.next(), () => {
      this.say(entry);
      next(this.remark(entry, pause, next));
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
