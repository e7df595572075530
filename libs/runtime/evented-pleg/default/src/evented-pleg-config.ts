import { booleanField, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface EventedPlegConfig {
  /** Pause between two relists while no event stream is usable, in milliseconds. Default 1000. */
  readonly relistPeriodMs: number;
  /**
   * Age of the last good relist at which the pleg is unhealthy while no event stream is usable, in milliseconds.
   * Default 180000.
   */
  readonly relistThresholdMs: number;
  /** Pause between two relists while the pleg relies on events (the safety net), in milliseconds. Default 60000. */
  readonly eventedRelistPeriodMs: number;
  /**
   * Age of the last good relist at which the pleg is unhealthy while an event stream is usable, in milliseconds.
   * Default 600000.
   */
  readonly eventedRelistThresholdMs: number;
  /**
   * Pause between two relists while a stream is open but no event has matched a relist yet, in milliseconds. Default
   * 10000.
   */
  readonly trialRelistPeriodMs: number;
  /** How long a stream must be open before relists become rarer, in milliseconds. Default 3000. */
  readonly settleMs: number;
  /**
   * Time within which an event must report a change that a relist found; after it the stream counts as stalled. In
   * milliseconds. Default 10000.
   */
  readonly echoTimeoutMs: number;
  /**
   * How many streams in a row may end without a confirmed event before the pleg stops using events for `returnAfterMs`.
   * Default 5.
   */
  readonly maxStreamFailures: number;
  /** Pause before the pleg tries events again, in milliseconds. Default 300000. */
  readonly returnAfterMs: number;
  /** Gate PLEGOnDemandRelist: without it, requests wait for the next relist; events still cause relists. */
  readonly onDemandRelist: boolean;
}

export const eventedPlegConfigSchema = defineConfig<EventedPlegConfig>(
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
    onDemandRelist: booleanField(true),
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
