import { isNewer } from '../../story.js';
import { stepResult, type Finding, type StepResult } from '../finding.js';
import type { PodQuestion } from '../pod-question.js';
import { isConditionTrue } from '../pod-state.js';

/** Whether the API server has the status that the node has. */
export function statusStep({ story, state }: PodQuestion): StepResult {
  if (!state.hasApiServer) return stepResult('status', 'skipped', { facts: { apiServer: false } });
  const changed = story.last('status.changed');
  const sent = story.last('status.sent');
  const failing = story.failing(story.all('status.failed'), sent);
  if (failing !== undefined) {
    const { first, last, times } = failing;
    const phase = changed?.phase ?? state.status?.phase ?? 'changed';
    const finding: Finding = {
      situation: last.outage ? 'status-outage' : 'status-refused',
      about: { state: changed?.ready === true ? 'ready' : phase },
      waitsFor: { what: 'the API server', sinceMs: first.atMs },
      lastFailure: { step: 'status', atMs: last.atMs, error: last.error, times, sinceMs: first.atMs },
    };
    return stepResult('status', last.outage ? 'waiting' : 'failed', { sinceMs: first.atMs, facts: { phase } }, finding);
  }
  const shown = state.shownStatus;
  const isShown = shown?.phase === changed?.phase && isConditionTrue(shown, 'Ready') === changed?.ready;
  if (
    changed !== undefined &&
    !isShown &&
    isNewer(changed, sent) &&
    (sent?.phase !== changed.phase || sent.ready !== changed.ready)
  ) {
    return stepResult('status', 'now', {
      sinceMs: changed.atMs,
      facts: { phase: changed.phase, ready: changed.ready },
    });
  }
  if (sent !== undefined) {
    const { atMs: sinceMs, durationMs: tookMs, phase, ready } = sent;
    return stepResult('status', 'done', { sinceMs, tookMs, facts: { phase, ready } });
  }
  return stepResult('status', state.status === undefined ? 'later' : 'done');
}
