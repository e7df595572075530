import { CLOCK, LOGGER, METRICS, RANDOM, provideValue, type TokenValue } from '@podwright/assembly-interface';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { createLogger, type RootLogger, type VerbosityRule } from '@podwright/logging';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import { createSystemClock, createSystemRandom, type Clock } from '@podwright/time';

/** The values that the app itself provides to the assembly. */
export interface FoundationValues {
  readonly clock: Clock;
  readonly logger: RootLogger;
  readonly metrics: MetricsRegistry;
  readonly values: readonly TokenValue[];
}

export interface LoggingOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number;
  readonly vmodule: readonly VerbosityRule[];
}

/** The logger's options from the configuration. */
export function loggingOptions({ logging }: KubeletConfiguration): LoggingOptions {
  const { format, verbosity, vmodule } = logging;
  return { format: format === 'json' ? 'json' : 'text', verbosity, vmodule };
}

/** Makes a real clock and random source, and a logger on stderr. */
export function createFoundationValues(logging: LoggingOptions): FoundationValues {
  const clock = createSystemClock();
  const logger = createLogger({ clock, ...logging });
  const metrics = createMetricsRegistry();
  const values = [
    provideValue(CLOCK, clock),
    provideValue(LOGGER, logger),
    provideValue(METRICS, metrics),
    provideValue(RANDOM, createSystemRandom()),
  ];
  return { clock, logger, metrics, values };
}
