import { booleanField, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface RuntimeStreamingConfig {
  /** Ends a session that transfers nothing for this long, in milliseconds; 0 = never. */
  readonly idleTimeoutMs: number;
  /** The idle timeout after one side has stopped sending, in milliseconds. */
  readonly halfClosedTimeoutMs: number;
  /** Longest wait for a connection to the runtime's streaming server, and again for its answer, in milliseconds. */
  readonly upgradeTimeoutMs: number;
  /** Most sessions at once; above, the answer is 429, as upstream's runtimes answer. */
  readonly maxSessions: number;
  /** Whether the kubelet translates the newest WebSocket protocols to SPDY (feature gate ExtendWebSocketsToKubelet). */
  readonly extendWebSockets: boolean;
}

export const runtimeStreamingConfigSchema = defineConfig<RuntimeStreamingConfig>({
  idleTimeoutMs: durationMsField(4 * 3_600_000, { min: 0 }),
  halfClosedTimeoutMs: durationMsField(60_000, { min: 1 }),
  upgradeTimeoutMs: durationMsField(30_000, { min: 1 }),
  maxSessions: integerField(1_000, { min: 1 }),
  extendWebSockets: booleanField(true),
});
