import type { LaneMarkKind, LanePhase, PodLane } from '@podwright/console-interface';
import { clock, duration } from '../text/quantities.js';
import { visible } from '../text/visible.js';

export const phaseWords: Readonly<Record<LanePhase, string>> = {
  queue: 'queued',
  volumes: 'volumes',
  sandbox: 'sandbox and network',
  image: 'image',
  start: 'containers start',
  running: 'runs, not ready',
  ready: 'ready',
  'back-off': 'back-off',
  ending: 'ends',
};

export const markWords: Readonly<Record<LaneMarkKind, string>> = {
  received: 'received',
  started: 'started',
  restarted: 'restarted',
  exited: 'exited',
  'probe-failed': 'probe failed',
  oom: 'out of memory',
  evicted: 'evicted',
  refused: 'refused',
  failed: 'failed',
  ended: 'ended',
};

const mostWords = 12;

/** The lane as a sentence, for those who do not see it. */
export function laneText({ spans, marks }: PodLane): string {
  const told = [
    ...spans.map(({ phase, fromMs, untilMs, of }) => ({
      atMs: fromMs,
      text: `${phaseWords[phase]}${of === undefined ? '' : ` of ${visible(of)}`} ${
        untilMs === undefined ? `since ${clock(fromMs)}` : `for ${duration(untilMs - fromMs)}`
      }`,
    })),
    ...marks.map(({ kind, atMs, of }) => ({
      atMs,
      text: `${markWords[kind]}${of === undefined ? '' : ` ${visible(of)}`} at ${clock(atMs)}`,
    })),
  ];
  told.sort((a, b) => a.atMs - b.atMs);
  const last = told.slice(-mostWords).map(({ text }) => text);
  return told.length === 0 ? 'nothing happened in the last ten minutes' : last.join(', ');
}
