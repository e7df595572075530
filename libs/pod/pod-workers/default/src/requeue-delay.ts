import { messageOf } from '@podwright/errors';
import { backOffUntilOf } from '@podwright/pod-sync-interface';
import { jitter } from '@podwright/time';
import type { Random } from '@podwright/time';

// At boot the network is ready within seconds, and it is all that such a pod lacks.
const networkNotReady = 'network is not ready';
const networkRetryMs = 1000;
// Healthy pods return in rounds, five seconds apart by default: the process wakes up once for several pods.
const roundsPerPeriod = 12;

export interface RequeueTimes {
  readonly syncFrequencyMs: number;
  readonly backOffMs: number;
}

/**
 * Milliseconds until the pod's next sync; `error` is undefined after a success, `nowMs` is wall-clock time. Jitter
 * spreads pods that started together. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go, completeWork.
 */
export function requeueDelayMs(error: unknown, times: RequeueTimes, nowMs: number, random: Random): number {
  if (error === undefined) return inRounds(jitter(random, times.syncFrequencyMs, 0.5), times.syncFrequencyMs, nowMs);
  if (messageOf(error).includes(networkNotReady)) return jitter(random, networkRetryMs, 0.5);
  const backOffUntil = backOffUntilOf(error);
  const baseMs = backOffUntil === undefined ? times.backOffMs : Math.max(0, backOffUntil - nowMs);
  return jitter(random, Math.min(baseMs, times.syncFrequencyMs), 0.5);
}

function inRounds(delayMs: number, leastMs: number, nowMs: number): number {
  const roundMs = leastMs / roundsPerPeriod;
  const rounded = delayMs - ((nowMs + delayMs) % roundMs);
  return rounded < leastMs ? rounded + roundMs : rounded;
}
