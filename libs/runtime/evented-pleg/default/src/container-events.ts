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
  /** True when the runtime does not implement container events. */
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
  readonly onOpen: () => void;
  readonly onEvent: (event: ContainerEventResponse) => void;
  readonly onEnd: (end: StreamEnd) => void;
}

const firstRetryMs = 1000;
const longestRetryMs = 30_000;

/**
 * Keeps a stream of container events open. It backs off between attempts, pauses long after too many, and never gives
 * up for good.
 */
export class ContainerEvents {
  private failures = 0;
  private readonly retryPause = new GrowingPause({ firstMs: firstRetryMs, longestMs: longestRetryMs });
  private stream: LinkedSignal | undefined;

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
        await this.deps.clock.sleep(end.retryAfterMs, signal);
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

  /** Ends the open stream as if it had failed. */
  fail(reason: KubeletError): void {
    this.stream?.abort(reason);
  }

  private async read(signal: AbortSignal): Promise<unknown> {
    const stream = (this.stream = linkSignals(signal));
    try {
      const events = this.deps.runtime.getContainerEvents({}, { signal: stream.signal });
      this.deps.onOpen();
      for await (const event of events) this.deps.onEvent(event);
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
    const givenUp = unsupported || failures >= this.options.maxStreamFailures;
    const retryAfterMs = givenUp ? this.options.returnAfterMs : this.retryPause.next();
    if (givenUp) this.worked();
    return { error, failures, givenUp, unsupported, retryAfterMs };
  }
}
