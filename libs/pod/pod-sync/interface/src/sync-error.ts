import { aggregateMessage, KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import type { PodSyncResult } from '@podwright/container-runtime-interface';

/**
 * Joins the failures of a runtime sync into one error, in upstream's words (kubernetes v1.36
 * pkg/kubelet/container/sync_result.go). Returns undefined when nothing failed.
 */
export function syncErrorOf(result: PodSyncResult): KubeletError | undefined {
  const parts = result.results.flatMap(({ action, target, error }) =>
    error === undefined
      ? []
      : [`failed to "${action}" for ${goQuote(target)} with ${error.reason}: ${goQuote(error.message)}`],
  );
  if (result.error !== undefined) parts.unshift(`failed to SyncPod: ${result.error.message}`);
  if (parts.length === 0) return undefined;
  const backOffs = result.results.flatMap(({ backOffUntilMs }) =>
    backOffUntilMs === undefined ? [] : [backOffUntilMs],
  );
  const error = new KubeletError(aggregateMessage(parts), { code: 'unavailable', cause: result.error });
  return backOffs.length === 0 ? error : Object.assign(error, { backOffUntilMs: Math.min(...backOffs) });
}

/** Unix milliseconds before which a retry is pointless because a container is in crash-loop back-off; else undefined. */
export function backOffUntilOf(error: unknown): number | undefined {
  const value =
    typeof error === 'object' && error !== null ? (error as { backOffUntilMs?: unknown }).backOffUntilMs : undefined;
  return typeof value === 'number' ? value : undefined;
}
