import { CLOCK, LOGGER, needs, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { limitRepeats, type Logger } from '@podwright/logging';
import type { SpanAttributes, SpanOptions, Tracer } from '@podwright/tracing-interface';
import { collectorUrl } from './collector-url.js';
import type { OtlpTracerConfig } from './otlp-tracer-config.js';
import type { TracingSession } from './tracing-session.js';

const nothing = {};

export const otlpTracerNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
});
export type OtlpTracerNeeds = Needs<typeof otlpTracerNeeds>;

/**
 * {@link Tracer} that sends spans to an OTLP collector. Before `start()` and after `stop()`, work runs without spans.
 * An unavailable collector loses spans, but never affects the work.
 */
export class OtlpTracer implements Tracer, Lifecycle {
  private session: TracingSession | undefined;
  private readonly logger: Logger;

  constructor(
    private readonly deps: OtlpTracerNeeds,
    private readonly config: OtlpTracerConfig,
  ) {
    this.logger = limitRepeats(deps.logger.with({ logger: 'tracing' }), deps.clock);
  }

  async start(): Promise<void> {
    const { endpoint } = this.config;
    collectorUrl(endpoint);
    // Loaded on demand: a kubelet without tracing saves 700 KB of code.
    const { openTracingSession } = await import('./tracing-session.js');
    this.session = openTracingSession(this.config, this.logger);
    this.logger.info('Tracing', { endpoint, samplingRatePerMillion: this.config.samplingRatePerMillion });
  }

  async stop(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    if (session === undefined) return;
    try {
      await withDeadline(this.deps.clock, this.config.stopTimeoutMs, () => session.shutdown());
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
