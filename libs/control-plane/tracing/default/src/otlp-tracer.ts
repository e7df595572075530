import { CLOCK, LOGGER, decodeOptions, type Lifecycle } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { limitRepeats, type Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { SpanAttributes, SpanOptions, Tracer } from '@podwright/tracing-interface';
import { inject, injectable } from 'tsyringe';
import { collectorUrl } from './collector-url.js';
import { OTLP_TRACER_CONFIG, otlpTracerConfigSchema, type OtlpTracerConfig } from './otlp-tracer-config.js';
import type { TracingSession } from './tracing-session.js';

const nothing = {};

/**
 * {@link Tracer} that sends spans to an OTLP collector. Before `start()` and after `stop()` work is done without spans. A collector
 * that is away costs spans, never the work.
 */
@injectable()
export class OtlpTracer implements Tracer, Lifecycle {
  private session: TracingSession | undefined;
  private readonly logger: Logger;

  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(OTLP_TRACER_CONFIG) private readonly config: OtlpTracerConfig,
  ) {
    this.logger = limitRepeats(logger.with({ logger: 'tracing' }), clock);
  }

  async start(): Promise<void> {
    const { endpoint } = this.config;
    collectorUrl(endpoint);
    // 700 KB of code that a kubelet without tracing never reads.
    const { openTracingSession } = await import('./tracing-session.js');
    this.session = openTracingSession(this.config, this.logger);
    this.logger.info('Tracing', { endpoint, samplingRatePerMillion: this.config.samplingRatePerMillion });
  }

  async stop(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (session === undefined) return;
    try {
      await withDeadline(this.clock, this.config.stopTimeoutMs, () => session.shutdown());
    } catch (error) {
      this.logger.warn('The last spans were not sent', { error });
    }
  }

  trace<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    return this.session === undefined ? work() : this.session.trace(name, options, work);
  }

  annotate(attributes: SpanAttributes): void {
    this.session?.annotate(attributes);
  }

  propagation(): Readonly<Record<string, string>> {
    return this.session?.propagation() ?? nothing;
  }
}

export interface OtlpTracerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container; start and stop it. Throws `invalid-argument` for options out of range. */
export function createOtlpTracer(
  { clock, logger }: OtlpTracerDeps,
  options: Partial<OtlpTracerConfig> = {},
): Tracer & Lifecycle {
  return new OtlpTracer(clock, logger, decodeOptions('tracing', otlpTracerConfigSchema, options));
}
