import { CLOCK, LOGGER, METRICS, RANDOM, provideValue, type TokenValue } from '@podwright/assembly-interface';
import type { FeatureGates, KubeletConfiguration } from '@podwright/kubelet-configuration';
import { createLogger, type RootLogger, type VerbosityRule } from '@podwright/logging';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import { quantityToNumber } from '@podwright/kube-types';
import { createSystemClock, createSystemRandom, parseGoDuration, type Clock } from '@podwright/time';
import { gateFacts } from './gate-options.js';

/** The values that the app itself provides to the assembly. */
export interface FoundationValues {
  readonly clock: Clock;
  readonly logger: RootLogger;
  readonly metrics: MetricsRegistry;
  readonly values: readonly TokenValue[];
}

export interface FoundationOptions {
  readonly logging: LoggingOptions;
  /** Histograms also have native buckets. */
  readonly nativeHistograms: boolean;
}

export interface LoggingOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number;
  readonly vmodule: readonly VerbosityRule[];
  /** Lines carry the fields of their logger. */
  readonly contextual: boolean;
  /** Lines that tell of no problem go to stdout. */
  readonly splitStream: boolean;
  /** How many bytes of them may wait, and for how long; 0: none. */
  readonly infoBufferBytes: number;
  readonly flushMs: number;
}

// Upstream's limit, against overflows.
const mostInfoBufferBytes = 2 * 1024 ** 3;

/** The options from the configuration and the gates. */
export function foundationOptions(configuration: KubeletConfiguration, gates: FeatureGates): FoundationOptions {
  const { contextualLogging, nativeHistograms } = gateFacts(gates);
  return { logging: loggingOptions(configuration, contextualLogging), nativeHistograms };
}

function loggingOptions({ logging }: KubeletConfiguration, contextual: boolean): LoggingOptions {
  const { verbosity, vmodule, options, flushFrequency } = logging;
  const format = logging.format === 'json' ? 'json' : 'text';
  const { splitStream, infoBufferSize } = options[format];
  const infoBufferBytes = Math.min(mostInfoBufferBytes, quantityToNumber(infoBufferSize));
  const flushMs = parseGoDuration(flushFrequency);
  return { format, verbosity, vmodule, contextual, splitStream, infoBufferBytes, flushMs };
}

/** Makes a real clock and random source, and a logger on stderr (and stdout). */
export function createFoundationValues({ logging, nativeHistograms }: FoundationOptions): FoundationValues {
  const clock = createSystemClock();
  const { splitStream, infoBufferBytes: bytes, flushMs, ...options } = logging;
  const infoBuffer = bytes > 0 ? { infoBuffer: { bytes, flushMs, clock } } : {};
  const logger = createLogger({ clock, ...options, ...(splitStream && { split: infoBuffer }) });
  const metrics = createMetricsRegistry({ nativeHistograms });
  const values = [
    provideValue(CLOCK, clock),
    provideValue(LOGGER, logger),
    provideValue(METRICS, metrics),
    provideValue(RANDOM, createSystemRandom()),
  ];
  return { clock, logger, metrics, values };
}
