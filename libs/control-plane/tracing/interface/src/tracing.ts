import { createToken } from '@podwright/assembly-interface';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /**
   * Headers of the caller, names in lower case; `traceparent` names the parent. Absent: the current span is the parent.
   */
  readonly carrier?: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Records spans by OpenTelemetry's rules. Absent when the configuration has no tracing, so a manager requires it as
 * optional. Source: kubernetes v1.36 staging/src/k8s.io/component-base/tracing.
 */
export interface Tracer {
  /**
   * Runs `work` in a span, which is the current one for everything that `work` awaits. When `work` rejects, the span
   * records the error and the call rejects with it.
   */
  trace<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Adds attributes to the current span. */
  annotate(attributes: SpanAttributes): void;
  /**
   * Headers for an outgoing call: they make the other side's spans children of the current one. Empty outside a span.
   */
  propagation(): Readonly<Record<string, string>>;
}

export const TRACER = createToken<Tracer>('kubelet.tracer/v1');
