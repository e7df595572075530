import { retryOf, stepResult, type Finding, type StepResult } from '../finding.js';
import type { PodQuestion } from '../pod-question.js';

/** The node's own network is not ready, which holds up every pod without host network, before its volumes. */
export function networkWait({ story, state, nowMs }: PodQuestion): StepResult | undefined {
  const sync = story.last('pod.sync');
  const isHeldUp = sync?.error?.startsWith('network is not ready') === true;
  const errors = state.networkErrors;
  if (state.pod?.spec.hostNetwork === true || (!isHeldUp && errors.length === 0) || state.work !== 'sync')
    return undefined;
  const sinceMs = sync?.failingSinceMs ?? sync?.atMs;
  const finding: Finding = {
    situation: 'network-not-ready',
    waitsFor: { what: 'the network of the node', ...(sinceMs !== undefined && { sinceMs }) },
    lastFailure: {
      ...{ step: 'network', atMs: sync?.atMs ?? nowMs, error: sync?.error ?? errors.join('; ') },
      ...(sync?.failures !== undefined && { times: sync.failures }),
    },
    ...retryOf(sync),
  };
  return stepResult('network', 'waiting', { sinceMs }, finding);
}
