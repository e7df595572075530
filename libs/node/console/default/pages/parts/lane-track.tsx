import type { LaneMarkKind, PodLane } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { historyMs } from '../../src/history-window.js';
import { laneText, markWords, phaseWords } from '../pods/lane-words.js';
import { clock, duration } from '../text/quantities.js';
import { visible } from '../text/visible.js';

/** Each kind has a form of its own, so that colour is not needed. In a box of 12 by 12. */
const markForms: Readonly<Record<LaneMarkKind, string>> = {
  received: 'M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8zm0 2a2 2 0 1 1 0 4a2 2 0 1 1 0-4z',
  started: 'M3 1.5L10.5 6L3 10.5z',
  restarted: 'M6 1a5 5 0 1 0 5 5H9a3 3 0 1 1-3-3v2l4-3l-4-3z',
  exited: 'M2 2h8v8H2zM4 4v4h4V4z',
  'probe-failed': 'M1 2h10L6 11z',
  oom: 'M6 0l1.6 3.2L11 1.6L9.4 5L12 6L9.4 7L11 10.4L7.600 8.800L6 12L4.400 8.800L1 10.400L2.600 7L0 6L2.600 5L1 1.600L4.400 3.200z',
  evicted: 'M6 1l5 5.500H1zM1 8h10v2.500H1z',
  refused: 'M6 0.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11zM2.500 5h7v2h-7z',
  failed: 'M4.700 0.500h2.600l-0.500 7h-1.600zM4.700 9h2.600v2.500h-2.600z',
  ended: 'M2 2h8v8H2z',
};
const alarming: readonly LaneMarkKind[] = ['restarted', 'probe-failed', 'oom', 'evicted', 'refused', 'failed'];

export function MarkForm({ kind }: { readonly kind: LaneMarkKind }): JSX.Element {
  return (
    <svg class={`mark-form${alarming.includes(kind) ? ' alarming' : ''}`} viewBox="0 0 12 12" aria-hidden="true">
      <path fill-rule="evenodd" d={markForms[kind]} />
    </svg>
  );
}

interface LaneTrackProps {
  readonly lane: PodLane | undefined;
  /** Right edge of the window. */
  readonly nowMs: number;
}

/** A pod's last ten minutes. The picture is for the eye; the sentence behind it for everybody else. */
export function LaneTrack({ lane, nowMs }: LaneTrackProps): JSX.Element {
  const fromMs = nowMs - historyMs;
  const place = (atMs: number): number => Math.min(100, Math.max(0, ((atMs - fromMs) / historyMs) * 100));
  const spans = lane?.spans.filter(({ untilMs }) => untilMs === undefined || untilMs > fromMs) ?? [];
  const marks = lane?.marks.filter(({ atMs }) => atMs > fromMs) ?? [];
  // Whoever hears it needs no new sentence each second.
  const words = useMemo(() => (lane === undefined ? 'nothing known' : laneText(lane)), [lane]);
  return (
    <div class="track">
      <div class="track-picture" aria-hidden="true">
        {spans.map(({ phase, fromMs: begin, untilMs, of }) => {
          const left = place(begin);
          const title = `${phaseWords[phase]}${of === undefined ? '' : ` of ${visible(of)}`}, ${
            untilMs === undefined ? `since ${clock(begin)}` : `${clock(begin)} for ${duration(untilMs - begin)}`
          }`;
          return (
            <span
              key={`${phase} ${begin} ${of ?? ''}`}
              class={`span phase-${phase}`}
              style={{ left: `${left}%`, width: `${place(untilMs ?? nowMs) - left}%` }}
              title={title}
            />
          );
        })}
        {marks.map(({ kind, atMs, text }, index) => (
          <span
            key={`${kind} ${atMs} ${index}`}
            class={`mark mark-${kind}`}
            style={{ left: `${place(atMs)}%` }}
            title={`${clock(atMs)} ${markWords[kind]}: ${visible(text)}`}
          >
            <MarkForm kind={kind} />
          </span>
        ))}
      </div>
      <span class="unseen">{words}</span>
    </div>
  );
}

const ticksMin = [10, 8, 6, 4, 2, 0];

/** The scale above lanes. */
export function LaneScale(): JSX.Element {
  return (
    <span class="scale" aria-hidden="true">
      {ticksMin.map((minutes) => (
        <span key={minutes} style={{ left: `${(1 - (minutes * 60_000) / historyMs) * 100}%` }}>
          {minutes === 0 ? 'now' : `−${minutes} min`}
        </span>
      ))}
    </span>
  );
}

/** What colours and forms mean. */
export function LaneKey(): JSX.Element {
  return (
    <ul class="lane-key" aria-label="Key to the lanes">
      {Object.entries(phaseWords).map(([phase, words]) => (
        <li key={phase}>
          <span class={`swatch span phase-${phase}`} aria-hidden="true" /> {words}
        </li>
      ))}
      {(Object.entries(markWords) as [LaneMarkKind, string][]).map(([kind, words]) => (
        <li key={kind}>
          <MarkForm kind={kind} /> {words}
        </li>
      ))}
    </ul>
  );
}
