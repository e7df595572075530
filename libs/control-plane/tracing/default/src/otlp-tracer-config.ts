import { defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface OtlpTracerConfig {
  /** `host:port`, `dns:...` or `unix:/path` of an OTLP collector that speaks gRPC without TLS. */
  readonly endpoint: string;
  /** Number of a million traces started here that are sampled; a caller's decision takes precedence. */
  readonly samplingRatePerMillion: number;
  /** Resource attributes: the names of service and host. */
  readonly serviceName: string;
  readonly hostName: string;
  /** Longest wait for the collector when stop() sends the last spans, milliseconds. */
  readonly stopTimeoutMs: number;
}

export const otlpTracerConfigSchema = defineConfig<OtlpTracerConfig>({
  endpoint: stringField('localhost:4317'),
  samplingRatePerMillion: integerField(0, { min: 0, max: 1_000_000 }),
  serviceName: stringField('kubelet'),
  hostName: stringField(''),
  stopTimeoutMs: integerField(500, { min: 0 }),
});
