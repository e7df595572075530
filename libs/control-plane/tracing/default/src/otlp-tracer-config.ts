import { createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface OtlpTracerConfig {
  /** `host:port`, `dns:...` or `unix:/path` of an OTLP collector that speaks gRPC without TLS. */
  readonly endpoint: string;
  /** Of a million traces that begin here, so many are kept; a caller's decision goes first. */
  readonly samplingRatePerMillion: number;
  /** Attributes of the resource. */
  readonly serviceName: string;
  readonly hostName: string;
  /** Longest wait for the collector when the last spans are sent, milliseconds. */
  readonly stopTimeoutMs: number;
}

export const OTLP_TRACER_CONFIG = createToken<OtlpTracerConfig>('kubelet.tracing.config/v1');

export const otlpTracerConfigSchema = defineConfig<OtlpTracerConfig>(OTLP_TRACER_CONFIG, {
  endpoint: stringField('localhost:4317'),
  samplingRatePerMillion: integerField(0, { min: 0, max: 1_000_000 }),
  serviceName: stringField('kubelet'),
  hostName: stringField(''),
  stopTimeoutMs: integerField(500, { min: 0 }),
});
