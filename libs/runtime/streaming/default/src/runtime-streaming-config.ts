import { booleanField, createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface RuntimeStreamingConfig {
  /** A session through which nothing flows for this long is ended; milliseconds, 0 = never. */
  readonly idleTimeoutMs: number;
  /** How long the other direction may rest once one side has said that it sends no more; milliseconds. */
  readonly halfClosedTimeoutMs: number;
  /** Longest wait for the runtime's streaming server to take the connection and to answer; milliseconds. */
  readonly upgradeTimeoutMs: number;
  /** Most sessions at once; a further one is refused as upstream's runtimes do. */
  readonly maxSessions: number;
  /** Whether WebSockets of the newest protocols end here (feature gate ExtendWebSocketsToKubelet). */
  readonly extendWebSockets: boolean;
}

export const RUNTIME_STREAMING_CONFIG = createToken<RuntimeStreamingConfig>('kubelet.streaming.config/v1');

export const runtimeStreamingConfigSchema = defineConfig<RuntimeStreamingConfig>(RUNTIME_STREAMING_CONFIG, {
  idleTimeoutMs: durationMsField(4 * 3_600_000, { min: 0 }),
  halfClosedTimeoutMs: durationMsField(60_000, { min: 1 }),
  upgradeTimeoutMs: durationMsField(30_000, { min: 1 }),
  maxSessions: integerField(1_000, { min: 1 }),
  extendWebSockets: booleanField(true),
});
