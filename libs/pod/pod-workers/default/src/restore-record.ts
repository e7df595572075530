import { PodSandboxState } from '@podwright/cri-client-interface';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodRecord } from './pod-record.js';

/**
 * A pod with a terminal phase in the API and nothing running in the runtime was terminated before this process started.
 * Marks its record as terminated, so that the pod does not count as active and only its clean-up runs.
 */
export function restoreRecord(record: PodRecord, pod: Pod, cache: PodCache, nowMs: number): void {
  const phase = pod.status?.phase;
  if (phase !== 'Failed' && phase !== 'Succeeded') return;
  if (!hasEnded(cache, record.uid)) return;
  record.terminatingAtMs = nowMs;
  record.terminatedAtMs = nowMs;
  record.observedTermination = true;
}

function hasEnded(cache: PodCache, uid: string): boolean {
  let status: RuntimePodStatus;
  try {
    status = cache.get(uid);
  } catch {
    return false; // the runtime status is unknown: the normal termination is correct in any case
  }
  const running = status.containers.some(({ state }) => state === 'running');
  return !running && !status.sandboxes.some(({ state }) => state === PodSandboxState.SANDBOX_READY);
}
