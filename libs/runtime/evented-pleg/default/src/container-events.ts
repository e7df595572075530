import { abortable } from '@podwright/concurrency';
import type { ContainerEventResponse, RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { GrowingPause, linkSignals, type Clock, type LinkedSignal } from '@podwright/time';

/** How a stream of container events ended, and when the next attempt comes. */
export interface StreamEnd {
  readonly error: unknown;
  /** How many streams in a row ended without a confirmed event. */
  readonly failures: number;
  /** True when too many streams failed: the pleg relists for a long pause before it retries. */
  readonly givenUp: boolean;
  /** True when the runtime has no container events: it does not implement them, or they are switched off. */
  readonly unsupported: boolean;
  readonly retryAfterMs: number;
}

export interface ContainerEventsOptions {
  readonly maxStreamFailures: number;
  readonly returnAfterMs: number;
}

export interface ContainerEventsDeps {
  readonly runtime: Pick<RuntimeService, 'getContainerEvents'>;
  readonly clock: Clock;
  /**
   * Resolves when the runtime answers other calls, so that a runtime that is down does not count as a failing stream.
   */
  readonly untilAnswers: () => Promise<void>;
  /** Resolves when the runtime answers again after it did not: it may be another one, with other abilities. */
  readonly untilBack: () => Promise<void>;
  readonly onOpen: () => void;
  readonly onEvent: (event: ContainerEventResponse) => void;
  readonly onEnd: (end: StreamEnd) => void;
}

const firstRetryMs = 1000;
const longestRetryMs = 30_000;
// CRI-O without `enable_pod_events` ends each stream at once, without an error.
const refusedWithinMs = 1000;

/**
 * Keeps a stream of container events open. It backs off between attempts, pauses long after too many, and never gives
 * up for good.
 */
export class ContainerEvents {
  private failures = 0;
  private readonly retryPause = new GrowingPause({ firstMs: firstRetryMs, longestMs: longestRetryMs });
  private stream: LinkedSignal | undefined;
  private lossy = false;

  constructor(
    private readonly deps: ContainerEventsDeps,
    private readonly options: ContainerEventsOptions,
  ) {}

  /** Resolves when the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await abortable(this.deps.untilAnswers(), signal);
        const error = await this.read(signal);
        if (signal.aborted) return;
        const end = this.ended(error);
        this.deps.onEnd(end);
        await this.pause(end, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Resets the back-off: an event of this stream matched a change that a relist saw, so the stream works. */
  worked(): void {
    this.failures = 0;
    this.retryPause.reset();
  }

  /** Ends the open stream as if it had failed. `lossy`: no other stream will be better, so events are given up. */
  fail(reason: KubeletError, { lossy }: { readonly lossy: boolean }): void {
    this.lossy = lossy;
    this.stream?.abort(reason);
  }

  private async pause({ retryAfterMs, givenUp }: StreamEnd, signal: AbortSignal): Promise<void> {
    if (!givenUp) return this.deps.clock.sleep(retryAfterMs, signal);
    const pause = linkSignals(signal);
    try {
      await Promise.race([this.deps.clock.sleep(retryAfterMs, pause.signal), this.deps.untilBack()]);
    } finally {
      pause.abort();
      pause.dispose();
    }
  }

  private async read(signal: AbortSignal): Promise<unknown> {
    const stream = (this.stream = linkSignals(signal));
    const { clock } = this.deps;
    const openedMs = clock.monotonic();
    let events = 0;
    try {
      const answers = this.deps.runtime.getContainerEvents({}, { signal: stream.signal });
      this.deps.onOpen();
      for await (const event of answers) {
        events++;
        this.deps.onEvent(event);
      }
      if (events === 0 && clock.monotonic() - openedMs < refusedWithinMs)
        return new KubeletError('the runtime has ended the stream at once: its events are off', {
          code: 'unimplemented',
        });
      return new KubeletError('the runtime has ended the stream of container events', { code: 'unavailable' });
    } catch (error) {
      return error;
    } finally {
      stream.dispose();
      this.stream = undefined;
    }
  }

  private ended(error: unknown): StreamEnd {
    const unsupported = hasCode(error, 'unimplemented');
    const failures = ++this.failures;
    const givenUp = unsupported || this.lossy || failures >= this.options.maxStreamFailures;
    this.lossy = false;
    const retryAfterMs = givenUp ? this.options.returnAfterMs : this.retryPause.next();
    if (givenUp) this.worked();
    return { error, failures, givenUp, unsupported, retryAfterMs };
  }
}
