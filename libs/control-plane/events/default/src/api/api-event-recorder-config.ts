import { defineConfig, durationMsField, enumField, integerField, stringField } from '@podwright/assembly-interface';
import type { LogEventRecorderConfig } from '../log-event-recorder-config.js';
import type { ApiEventCorrelatorOptions } from './api-event-correlator.js';

/** {@link LogEventRecorderConfig} has the options of the log lines; these are for the API server. */
export interface ApiEventRecorderConfig extends LogEventRecorderConfig, ApiEventCorrelatorOptions {
  /** API group of events: `core`, as upstream, or `events.k8s.io`. Default `core`. */
  readonly form: 'core' | 'events.k8s.io';
  /** Number of different messages from which similar events are combined. Default 10. */
  readonly aggregateAfter: number;
  /** Similar events further apart than this are not combined, in milliseconds. Default 600000. */
  readonly aggregateIntervalMs: number;
  /** Number of events of one type about one object that may be sent at once. Default 25. */
  readonly spamBurst: number;
  /** Time after which one more may be sent, in milliseconds. Default 300000. */
  readonly spamRefillMs: number;
  /** Maximum number of events that wait for the API server; further ones are dropped. Default 1000. */
  readonly maxQueued: number;
  /** Number of events of type Normal in `mostDelayMs` that are sent at once; further ones wait. Default 30. */
  readonly promptEvents: number;
  /** How long the kubelet's urgent calls must have paused before a waiting event is sent, in milliseconds. Default 1000. */
  readonly quietMs: number;
  /** The longest time that an event waits for such a pause, in milliseconds. Default 20000. */
  readonly mostDelayMs: number;
  /** Maximum number of attempts per event. Default 12. */
  readonly maxTries: number;
  /** Time between two attempts, in milliseconds; a random part of it before the second attempt. Default 10000. */
  readonly retryMs: number;
}

export const apiEventRecorderConfigSchema = defineConfig<ApiEventRecorderConfig>({
  nodeName: stringField(''),
  aggregationMs: durationMsField(60_000),
  maxCorrelated: integerField(4096, { min: 1 }),
  keepRecent: integerField(1000, { min: 0 }),
  form: enumField(['core', 'events.k8s.io'], 'core'),
  aggregateAfter: integerField(10, { min: 1 }),
  aggregateIntervalMs: durationMsField(600_000),
  spamBurst: integerField(25, { min: 1 }),
  spamRefillMs: durationMsField(300_000, { min: 1 }),
  maxQueued: integerField(1000, { min: 1 }),
  promptEvents: integerField(30, { min: 0 }),
  quietMs: durationMsField(1_000),
  mostDelayMs: durationMsField(20_000),
  maxTries: integerField(12, { min: 1 }),
  retryMs: durationMsField(10_000),
});
