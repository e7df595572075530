import { describe, expect, it } from '@jest/globals';
import type { RecordingLine } from '@podwright/flight-recorder-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { compareDecisions } from './compare-decisions.js';
import { beginningOf } from './told-again.js';

const pod = { uid: 'u', namespace: 'n', name: 'p' };
const other = { ...pod, uid: 'later' };
const at = (seconds: number) => ({ seq: seconds, atMs: seconds * 1_000 });

const received = (seconds: number, operation: 'add' | 'remove', of = pod): JournalEntry =>
  ({ kind: 'pod.received', pod: of, source: 'file', operation, ...at(seconds) }) as JournalEntry;
const ending = (seconds: number, cause: string): JournalEntry =>
  ({ kind: 'pod.ending', pod, cause, ...at(seconds) }) as JournalEntry;
const ended = (seconds: number): JournalEntry => ({ kind: 'pod.ended', pod, ...at(seconds) }) as JournalEntry;

const stood: RecordingLine = {
  ...{ t: 'pods', at: 0, source: 'file', op: 'SET', snapshot: true },
  pods: [{ metadata: pod, spec: { containers: [] } }],
};
const beginning = beginningOf([stood], 0);

const differs = (recorded: readonly JournalEntry[], replayed: readonly JournalEntry[]): boolean =>
  compareDecisions(recorded, replayed, { beginning }).difference !== undefined;

describe('what depends on milliseconds', () => {
  const removed = (seconds: number): JournalEntry =>
    ({ kind: 'container.removed', pod, containerId: 'c', ...at(seconds) }) as JournalEntry;
  const kill = (gracePeriodSeconds: number, resumed: boolean): JournalEntry =>
    ({ kind: 'container.kill', pod, container: 'c', containerId: 'c', gracePeriodSeconds, resumed, ...at(1) }) as never;
  const differsAt = (untilMs: number, recorded: readonly JournalEntry[], replayed: readonly JournalEntry[]): boolean =>
    compareDecisions(recorded, replayed, { untilMs }).difference !== undefined;

  it('is no difference: at which pass a dead container is removed, and what was left of a grace period', () => {
    expect(differsAt(60_000, [removed(1)], [])).toBe(false);
    expect(differsAt(62_000, [removed(1)], [])).toBe(true);
    expect(differsAt(62_000, [removed(1)], [removed(61)])).toBe(false);
    expect(differsAt(9_000, [kill(2, true)], [kill(3, true)])).toBe(false);
    expect(differsAt(9_000, [kill(2, false)], [kill(3, false)])).toBe(true);
  });

  it('is no difference: how often a probe has answered the same beyond its threshold', () => {
    const probe = (inARow: number): JournalEntry =>
      ({ kind: 'probe.result', pod, containerId: 'c', probe: 'readiness', inARow, threshold: 3, ...at(1) }) as never;
    expect(differsAt(9_000, [probe(5)], [probe(4)])).toBe(false);
    expect(differsAt(9_000, [probe(3)], [probe(2)])).toBe(true);
  });
});

describe('what a replay tells again that begins with a snapshot', () => {
  it('needs no counterpart about a pod that stood then, for a minute, and about others never', () => {
    expect(differs([received(70, 'remove')], [received(1, 'add'), received(70, 'remove')])).toBe(false);
    expect(differs([], [received(59, 'add')])).toBe(false);
    expect(differs([], [received(61, 'add')])).toBe(true);
    expect(differs([], [received(1, 'add', other)])).toBe(true);
  });

  it('may lack what the recorded kubelet was about to decide', () => {
    expect(differs([received(1, 'add')], [])).toBe(false);
    expect(differs([received(3, 'add')], [])).toBe(true);
  });

  it('may end a pod late that had completed, but not one that the recorded kubelet was still ending', () => {
    const removed = received(7, 'remove');
    expect(differs([removed], [ending(0, 'completed'), removed, ended(90)])).toBe(false);
    expect(differs([removed], [ending(0, 'deleted'), removed, ended(90)])).toBe(true);
    expect(differs([removed, ended(9)], [ending(0, 'completed'), removed, ended(90)])).toBe(false);
  });

  it('is nothing in a recording that begins with its process', () => {
    expect(beginningOf([{ t: 'end', at: 1 }], 0)).toBeUndefined();
  });
});
