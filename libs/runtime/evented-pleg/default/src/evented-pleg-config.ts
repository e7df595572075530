import { createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface EventedPlegConfig {
  /** Pause between two relists while there are no container events, in milliseconds. Default 1000. */
  readonly relistPeriodMs: number;
  /** Age of the last good relist at which the pleg is unhealthy while there are no events, in milliseconds. Default 180000. */
  readonly relistThresholdMs: number;
  /** Pause between two relists while events are relied upon: the safety net, in milliseconds. Default 60000. */
  readonly eventedRelistPeriodMs: number;
  /** Age of the last good relist at which the pleg is unhealthy while events are relied upon, in milliseconds. Default 600000. */
  readonly eventedRelistThresholdMs: number;
  /** Pause between two relists while a stream is open that has not told any change yet, in milliseconds. Default 10000. */
  readonly trialRelistPeriodMs: number;
  /** How long a stream has to be open before it may replace the relists of each period, in milliseconds. Default 3000. */
  readonly settleMs: number;
  /** A change that a look found and no event tells within this time means that the stream is stalled, in milliseconds. Default 10000. */
  readonly echoTimeoutMs: number;
  /** Streams that end one after the other without having told a change before events are given up for a while. Default 5. */
  readonly maxStreamFailures: number;
  /** How long events are given up, in milliseconds. Default 300000. */
  readonly returnAfterMs: number;
}

export const EVENTED_PLEG_CONFIG = createToken<EventedPlegConfig>('kubelet.evented-pleg.config/v1');

export const eventedPlegConfigSchema = defineConfig<EventedPlegConfig>(
  EVENTED_PLEG_CONFIG,
  {
    relistPeriodMs: durationMsField(1000, { min: 1 }),
    relistThresholdMs: durationMsField(180_000, { min: 1 }),
    eventedRelistPeriodMs: durationMsField(60_000, { min: 1 }),
    eventedRelistThresholdMs: durationMsField(600_000, { min: 1 }),
    trialRelistPeriodMs: durationMsField(10_000, { min: 1 }),
    settleMs: durationMsField(3000, { min: 0 }),
    echoTimeoutMs: durationMsField(10_000, { min: 1 }),
    maxStreamFailures: integerField(5, { min: 1 }),
    returnAfterMs: durationMsField(300_000, { min: 1 }),
  },
  (config) => [
    ...notMoreThan('relistThresholdMs', config.relistThresholdMs, 'relistPeriodMs', config.relistPeriodMs),
    ...notMoreThan(
      'eventedRelistThresholdMs',
      config.eventedRelistThresholdMs,
      'eventedRelistPeriodMs',
      config.eventedRelistPeriodMs,
    ),
  ],
);

function notMoreThan(
  field: keyof EventedPlegConfig,
  value: number,
  than: keyof EventedPlegConfig,
  least: number,
): { field: string; value: number; problem: string }[] {
  return value > least ? [] : [{ field, value, problem: `must be more than ${than} (${least})` }];
}
