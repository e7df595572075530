import { createToken } from '@podwright/assembly-interface';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: 'internal' | 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** Headers or metadata of the caller (names in lower case), for `traceparent`; absent: the span that is current. */
  readonly carrier?: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Spans by OpenTelemetry's rules. Absent when the configuration has no tracing: whoever uses it requires it as optional and
 * does without at no cost. Source: kubernetes v1.36 staging/src/k8s.io/component-base/tracing.
 */
export interface Tracer {
  /** Runs the work inside a span, which is current for everything that it awaits; a rejection is recorded and passed on. */
  trace<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Attributes of the current span that become known late. */
  annotate(attributes: SpanAttributes): void;
  /** Headers for a call out, which make its spans children of the current one; empty outside of any span. */
  propagation(): Readonly<Record<string, string>>;
}

export const TRACER = createToken<Tracer>('kubelet.tracer/v1');
