import { isNewer } from '../../story.js';
import { retryOf, type Finding } from '../finding.js';
import type { PodQuestion } from '../pod-question.js';

/**
 * What a pod needs before its volumes and its sandbox, such as directories and a cgroup, has no entry of its own: the
 * sync has failed, and none of its volumes is why.
 */
export function preparationFailure({ story }: PodQuestion): Finding | undefined {
  const sync = story.last('pod.sync');
  const ready = story.last('volumes.ready');
  if (sync?.error === undefined || !isNewer(sync, ready)) return undefined;
  const ofVolumes =
    story.last('volumes.waiting', ({ operation }) => operation === 'mount') ?? story.last('volume.failed');
  if (ofVolumes !== undefined && isNewer(ofVolumes, ready)) return undefined;
  const { atMs, error, failures: times, failingSinceMs: sinceMs } = sync;
  return {
    situation: 'sandbox-failed',
    waitsFor: { what: 'its sandbox', sinceMs: sinceMs ?? atMs },
    lastFailure: { step: 'sandbox', atMs, error, ...(times && { times }), ...(sinceMs && { sinceMs }) },
    ...retryOf(sync),
  };
}
