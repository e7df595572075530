import {
  createToken,
  defineConfig,
  durationMsField,
  enumField,
  integerField,
  stringField,
} from '@podwright/assembly-interface';
import type { LogEventRecorderConfig } from '../log-event-recorder-config.js';
import type { ApiEventCorrelatorOptions } from './api-event-correlator.js';

/** The options of the log line come from {@link LogEventRecorderConfig}; the others are about the API server. */
export interface ApiEventRecorderConfig extends LogEventRecorderConfig, ApiEventCorrelatorOptions {
  /** `core`, upstream's, or `events.k8s.io`. Default `core`. */
  readonly form: 'core' | 'events.k8s.io';
  /** From how many different messages on similar events are combined. Default 10. */
  readonly aggregateAfter: number;
  /** Similar events further apart than this are not combined, in milliseconds. Default 600000. */
  readonly aggregateIntervalMs: number;
  /** How many events of one type about one object go at once. Default 25. */
  readonly spamBurst: number;
  /** After which time one more may go, in milliseconds. Default 300000. */
  readonly spamRefillMs: number;
  /** How many events wait for the API server; further ones are dropped. Default 1000. */
  readonly maxQueued: number;
  /** How often an event is tried. Default 12. */
  readonly maxTries: number;
  /** Time between two tries, in milliseconds; the first one is a random part of it. Default 10000. */
  readonly retryMs: number;
}

export const API_EVENT_RECORDER_CONFIG = createToken<ApiEventRecorderConfig>('kubelet.api-event-recorder.config/v1');

export const apiEventRecorderConfigSchema = defineConfig<ApiEventRecorderConfig>(API_EVENT_RECORDER_CONFIG, {
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
  maxTries: integerField(12, { min: 1 }),
  retryMs: durationMsField(10_000),
});
