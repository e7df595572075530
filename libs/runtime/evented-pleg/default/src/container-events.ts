import { abortable } from '@podwright/concurrency';
import type { ContainerEventResponse, RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';

/** How a stream of container events ended, and what comes next. */
export interface StreamEnd {
  readonly error: unknown;
  /** Streams in a row that ended without having told a change. */
  readonly failures: number;
  /** Events are given up for a while. */
  readonly givenUp: boolean;
  /** The runtime does not have them at all. */
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
  /** Resolves when the runtime answers other calls: a runtime that is away is no failing stream. */
  readonly untilAnswers: () => Promise<void>;
  readonly onOpen: () => void;
  readonly onEvent: (event: ContainerEventResponse) => void;
  readonly onEnd: (end: StreamEnd) => void;
}

const firstRetryMs = 1000;
const longestRetryMs = 30_000;

/** Keeps a stream of container events open: back-off between attempts, a long pause after too many, and never for good. */
export class ContainerEvents {
  private failures = 0;
  private stream: AbortController | undefined;

  constructor(
    private readonly deps: ContainerEventsDeps,
    private readonly options: ContainerEventsOptions,
  ) {}

  /** Resolves when the signal has aborted. Never rejects. */
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

  /** The stream has told a change that has happened: it works. */
  worked(): void {
    this.failures = 0;
  }

  /** Ends the stream that is open, as if it had failed. */
  fail(reason: KubeletError): void {
    this.stream?.abort(reason);
  }

  private async read(signal: AbortSignal): Promise<unknown> {
    const stream = (this.stream = new AbortController());
    const stop = (): void => stream.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const events = this.deps.runtime.getContainerEvents({}, { signal: stream.signal });
      this.deps.onOpen();
      for await (const event of events) this.deps.onEvent(event);
      return new KubeletError('the runtime has ended the stream of container events', { code: 'unavailable' });
    } catch (error) {
      return error;
    } finally {
      signal.removeEventListener('abort', stop);
      this.stream = undefined;
    }
  }

  private ended(error: unknown): StreamEnd {
    const unsupported = hasCode(error, 'unimplemented');
    const failures = ++this.failures;
    const givenUp = unsupported || failures >= this.options.maxStreamFailures;
    if (givenUp) this.failures = 0;
    const backOffMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
    return {
      error,
      failures,
      givenUp,
      unsupported,
      retryAfterMs: givenUp ? this.options.returnAfterMs : backOffMs,
    };
  }
}
