import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { isError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { SpanAttributes, SpanOptions, Tracer } from '@podwright/tracing-interface';
import { collectorUrl } from './collector-url.js';
import { sdkErrorMessage } from './sdk-error-message.js';
import type { OtlpTracerConfig } from './otlp-tracer-config.js';

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** A tracer on top of the SDK. Registers nothing globally, so that two in one process do not interfere. */
export interface TracingSession extends Tracer {
  /** Sends the remaining spans. */
  shutdown(): Promise<void>;
}

/**
 * Opens a session. This file loads the whole SDK, so import it only when tracing is on. Sampling as upstream: the
 * caller decides, else the ratio, else never. Source: kubernetes v1.36
 * staging/src/k8s.io/component-base/tracing/utils.go.
 */
export function openTracingSession(
  config: OtlpTracerConfig,
  logger: Logger,
  exporter: SpanExporter = new OTLPTraceExporter({ url: collectorUrl(config.endpoint) }),
): TracingSession {
  logSdkErrors(logger);
  const { samplingRatePerMillion: rate, serviceName, hostName } = config;
  const root = rate > 0 ? new TraceIdRatioBasedSampler(rate / 1_000_000) : new AlwaysOffSampler();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'host.name': hostName }),
    sampler: new ParentBasedSampler({ root }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('podwright');
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new CompositePropagator({
    propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
  });
  return {
    trace: async <T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> => {
      const { kind = 'internal', attributes = {}, carrier } = options;
      const parent =
        carrier === undefined ? contexts.active() : propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, parent);
      try {
        return await contexts.with(trace.setSpan(parent, span), work);
      } catch (error) {
        span.recordException(isError(error) ? error : messageOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
        throw error;
      } finally {
        span.end();
      }
    },
    annotate: (attributes: SpanAttributes) => void trace.getSpan(contexts.active())?.setAttributes({ ...attributes }),
    propagation: () => {
      const carrier: Record<string, string> = {};
      propagator.inject(contexts.active(), carrier, defaultTextMapSetter);
      return carrier;
    },
    shutdown: async () => {
      contexts.disable();
      await provider.shutdown();
    },
  };
}

// Without its own logger the SDK writes to the console.
function logSdkErrors(logger: Logger): void {
  const tell = (text: string): void =>
    logger.warn('Spans could not be sent to the collector', { error: sdkErrorMessage(text) });
  const quiet = (): void => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
