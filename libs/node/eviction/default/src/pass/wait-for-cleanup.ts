import type { EvictedPod } from '@podwright/eviction-interface';
import type { EvictionNeeds } from '../eviction-needs.js';

const pollMs = 1_000;
const timeoutMs = 30_000;

/**
 * Waits until the pods are cleaned up, so that the next pass sees the freed resources; at most 30 s. Rejects when the
 * signal aborts. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go waitForPodsCleanup.
 */
export async function waitForCleanup(
  evicted: readonly EvictedPod[],
  { lifecycle, clock, logger }: Pick<EvictionNeeds, 'lifecycle' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  const pods = evicted.map(({ namespace, name }) => `${namespace}/${name}`);
  // The pod workers no longer know a pod that was removed meanwhile: it is finished as well.
  const isForgotten = (uid: string): boolean =>
    lifecycle.shouldRuntimeBeRemoved(uid) && !lifecycle.isKnownTerminated(uid);
  logger.info('Eviction manager: pods evicted, waiting for pod to be cleaned up', { pods });
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += pollMs) {
    await clock.sleep(pollMs, signal);
    if (evicted.every(({ uid }) => lifecycle.isFinished(uid) || isForgotten(uid))) {
      logger.info('Eviction manager: pods successfully cleaned up', { pods });
      return;
    }
  }
  logger.info('Eviction manager: timed out waiting for pods to be cleaned up', { pods });
}
