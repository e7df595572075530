import type { ExplainedProbe } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { span } from '../print/span.js';
import { retryOf, type Finding } from './finding.js';
import { openKills } from './open-kills.js';
import type { PodQuestion } from './pod-question.js';

/** A container that still runs, while the kubelet stops it for one of its probes. */
export function probeKill(
  { story, nowMs }: PodQuestion,
  container: string,
  probes: readonly ExplainedProbe[],
): Finding | undefined {
  const open = openKills(story).find(({ kill }) => kill.container === container && probeOfKill(kill) !== undefined);
  const probe = open && probeOfKill(open.kill);
  if (open === undefined || probe === undefined) return undefined;
  const { kill, killed } = open;
  const sinceMs = story.first('container.kill', ({ containerId }) => containerId === kill.containerId)?.atMs;
  const leftMs = kill.atMs + kill.gracePeriodSeconds * 1000 - nowMs;
  const left = leftMs > 0 ? `${span(leftMs)} of its grace period left` : 'its grace period is over';
  const answer = probes.find((each) => each.probe === probe);
  const failure =
    killed?.error !== undefined
      ? { atMs: killed.atMs, error: killed.error }
      : answer && { atMs: answer.atMs, error: answer.output, times: answer.inARow };
  return {
    situation: 'probe-stopping',
    about: { container, probe },
    waitsFor: { what: `the end of container ${container} (${left})`, ...(sinceMs !== undefined && { sinceMs }) },
    ...(failure && { lastFailure: { step: 'probes', ...failure } }),
    ...(killed?.error !== undefined && retryOf(story.last('pod.sync'))),
  };
}

/** The probe for which a container is stopped; undefined when it is for something else. */
export function probeOfKill({ cause }: JournalEntry<'container.kill'>): ExplainedProbe['probe'] | undefined {
  return cause === 'liveness-probe' ? 'liveness' : cause === 'startup-probe' ? 'startup' : undefined;
}
