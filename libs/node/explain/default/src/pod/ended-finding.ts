import type { ExplainedContainer } from '@podwright/explain-interface';
import { exitText } from './container-findings.js';
import type { Finding } from './finding.js';
import type { PodQuestion } from './pod-question.js';

/** Why a pod has ended for good, or is to end without anybody having deleted it; undefined for a deleted one. */
export function endedFinding(question: PodQuestion, containers: readonly ExplainedContainer[]): Finding | undefined {
  const { story, state } = question;
  const changed = story.last('status.changed');
  const { phase = changed?.phase, reason = changed?.reason, message = changed?.message } = state.status ?? {};
  const cause = story.last('pod.ending')?.cause;
  const atMs = story.last('pod.ending')?.atMs ?? changed?.atMs ?? question.nowMs;
  const because = (finding: Finding): Finding => ({
    ...finding,
    ...(message !== undefined && message !== '' && { lastFailure: { step: 'ending', atMs, error: message.trim() } }),
  });
  switch (reason) {
    case 'Evicted':
      return because(evicted(question));
    case 'DeadlineExceeded':
      return because({ situation: 'deadline-exceeded' });
    case 'Preempting':
      return because({ situation: 'preempted' });
    case 'Terminated':
    case 'NodeShutdown':
      return because({ situation: 'node-shutdown' });
    default:
  }
  if (cause === 'evicted') return evicted(question);
  // Its containers end with the codes of their signals then, which says nothing about them.
  if (cause === 'killed' && story.last('pod.received')?.operation === 'remove') return { situation: 'removed' };
  if (cause !== 'deleted' && phase === 'Succeeded') return { situation: 'succeeded' };
  if (cause !== 'deleted' && phase === 'Failed') return failed(containers, atMs, message);
  return undefined;
}

function evicted({ story, state }: PodQuestion): Finding {
  const eviction = story.last('eviction');
  const uid = state.pod?.metadata.uid ?? story.last('pod.ending')?.pod.uid;
  const own = eviction?.evicted.find((evictedPod) => evictedPod.uid === uid) ?? eviction?.evicted[0];
  const message = own?.message ?? state.status?.message ?? '';
  const lastFailure =
    own === undefined || eviction === undefined
      ? undefined
      : ({ step: 'ending', atMs: eviction.atMs, error: own.message.trim() } as const);
  const isLocal =
    own?.signal.endsWith('fs.limit') ?? /exceeds? the (total )?limit|Usage of EmptyDir|exceeded its/i.test(message);
  const resource = /low on resource: (\S+?)\./.exec(message)?.[1] ?? own?.signal ?? 'resources';
  return {
    situation: isLocal ? 'evicted-local-storage' : 'evicted-pressure',
    about: { resource },
    ...(lastFailure && { lastFailure }),
  };
}

function failed(containers: readonly ExplainedContainer[], atMs: number, message: string | undefined): Finding {
  const culprit = containers.find(({ exits }) => exits[0] !== undefined && exits[0].exitCode !== 0);
  const exit = culprit?.exits[0];
  const text = exit === undefined ? message : exitText(exit);
  return {
    situation: 'failed',
    about: { container: culprit?.name ?? '?', exitCode: String(exit?.exitCode ?? '?') },
    ...(text !== undefined &&
      text !== '' && { lastFailure: { step: 'start', atMs: exit?.finishedAtMs ?? atMs, error: text } }),
  };
}
