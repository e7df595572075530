import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { createToken } from './token.js';

// Roles that the app provides as values. Their tokens are here because foundation packages do not know tokens.
export const CLOCK = createToken<Clock>('kubelet.clock/v1');
export const RANDOM = createToken<Random>('kubelet.random/v1');
export const LOGGER = createToken<Logger>('kubelet.logger/v1');
export const METRICS = createToken<MetricsRegistry>('kubelet.metrics/v1');
