import { timeMs } from '@podwright/kube-types';
import type { LaneMark, LaneSpan, PodLane } from '@podwright/console-interface';
import type { JournalEntry, JournalPod } from '@podwright/journal-interface';
import type { PodStatus } from '@podwright/kube-types';
import { historyMs } from '../history-window.js';
import { laneMark } from './lane-marks.js';
import { LaneSpans } from './lane-spans.js';
import { allStatuses } from './pod-row.js';

// A container that fails each second would make the lane of ten minutes endless.
const mostMarks = 100;
const mostSpans = 200;

/**
 * A pod over the last ten minutes. `entries` are all that is known of it, oldest first, also from before: what began
 * earlier may last. `status`: that of a pod that the kubelet has; it fills in what the journal no longer knows.
 */
export function podLane(
  { uid, namespace, name }: JournalPod,
  entries: readonly JournalEntry[],
  status: PodStatus | undefined,
  nowMs: number,
): PodLane {
  const sinceMs = nowMs - historyMs;
  const spans = new LaneSpans();
  for (const entry of entries) spans.take(entry);
  const lasting = fillIn(spans.all(), entries, status);
  const seen = lasting.filter(({ untilMs = Infinity }) => untilMs >= sinceMs);
  const marks = entries.flatMap((entry): readonly LaneMark[] => {
    const mark = entry.atMs < sinceMs ? undefined : laneMark(entry);
    return mark === undefined ? [] : [mark];
  });
  return {
    ...{ uid, namespace, name },
    spans: [...seen].sort((a, b) => a.fromMs - b.fromMs).slice(-mostSpans),
    marks: [...marks].sort((a, b) => a.atMs - b.atMs).slice(-mostMarks),
  };
}

/** A pod that started long ago has entries no more, or none of this process. */
function fillIn(
  spans: readonly LaneSpan[],
  entries: readonly JournalEntry[],
  status: PodStatus | undefined,
): readonly LaneSpan[] {
  if (status === undefined || entries.some(({ kind }) => kind === 'pod.ended')) return spans;
  const isOpen = (phase: LaneSpan['phase']): boolean =>
    spans.some((span) => span.phase === phase && span.untilMs === undefined);
  const runningSince = allStatuses(status).flatMap(({ state }) => timeMs(state?.running?.startedAt) ?? []);
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const readySince = ready?.status === 'True' ? timeMs(ready.lastTransitionTime) : undefined;
  return [
    ...spans,
    ...(runningSince.length > 0 && !isOpen('running')
      ? [{ phase: 'running', fromMs: after(spans, 'running', Math.min(...runningSince)) } as const]
      : []),
    ...(readySince !== undefined && !isOpen('ready')
      ? [{ phase: 'ready', fromMs: after(spans, 'ready', readySince) } as const]
      : []),
  ];
}

/** Times of a status are whole seconds: a span must not begin before the last one of its phase has ended. */
function after(spans: readonly LaneSpan[], phase: LaneSpan['phase'], fromMs: number): number {
  const ends = spans.flatMap((span) => (span.phase === phase && span.untilMs !== undefined ? [span.untilMs] : []));
  return Math.max(fromMs, ...ends);
}
