import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanAttributes, SpanOptions, Tracer } from '../tracing.js';

export interface RecordedSpan {
  readonly name: string;
  readonly options: SpanOptions;
  /** Name of the parent span. */
  readonly parent: string | undefined;
  attributes: SpanAttributes;
  error?: unknown;
}

/** A tracer that keeps its spans in memory, for specs. It propagates `traceparent: <name of the span>`. */
export class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];
  private readonly current = new AsyncLocalStorage<RecordedSpan>();

  async trace<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const parent = this.current.getStore()?.name;
    const span: RecordedSpan = { name, options, parent, attributes: options.attributes ?? {} };
    this.spans.push(span);
    try {
      return await this.current.run(span, work);
    } catch (error) {
      span.error = error;
      throw error;
    }
  }

  annotate(attributes: SpanAttributes): void {
    const span = this.current.getStore();
    if (span !== undefined) span.attributes = { ...span.attributes, ...attributes };
  }

  propagation(): Readonly<Record<string, string>> {
    const span = this.current.getStore();
    return span === undefined ? {} : { traceparent: span.name };
  }
}
