import { describe, expect, it } from '@jest/globals';
import type { PodLane } from '@podwright/console-interface';
import type { Decision, JournalEntry } from '@podwright/journal-interface';
import type { PodStatus } from '@podwright/kube-types';
import { historyMs } from '../history-window.js';
import { podLane } from './pod-lane.js';

const pod = { uid: 'u1', namespace: 'shop', name: 'web' };
const start = 1_000_000;

/** Entries at seconds after the start. */
const entries = (...story: readonly (readonly [number, Decision])[]): readonly JournalEntry[] =>
  story.map(([second, decision], seq) => ({ ...decision, seq, atMs: start + 1000 * second }));

const received: Decision = { kind: 'pod.received', pod, source: 'file', operation: 'add' };
const started = (
  container: string,
  more: Partial<Extract<Decision, { kind: 'container.started' }>> = {},
): Decision => ({
  ...{ kind: 'container.started', pod, container, containerId: `${container}-0`, type: 'regular' },
  ...{ restartCount: 0, imageMs: 0, durationMs: 500, ...more },
});
const exited = (container: string, exitCode: number, containerId = `${container}-0`): Decision => ({
  ...{ kind: 'container.exited', pod, container, containerId, exitCode, reason: 'Error', restartCount: 0 },
});
const status = (ready: boolean): Decision => ({ kind: 'status.changed', pod, phase: 'Running', ready, notReady: [] });

function spansOf({ spans }: PodLane): readonly string[] {
  const second = (ms: number): number => (ms - start) / 1000;
  return spans.map(({ phase, fromMs, untilMs, of }) => {
    const end = untilMs === undefined ? '' : second(untilMs);
    return `${phase}${of === undefined ? '' : ` ${of}`} ${second(fromMs)}-${end}`;
  });
}
const lane = (story: readonly JournalEntry[], atSecond: number, current?: PodStatus): PodLane =>
  podLane(pod, story, current, start + 1000 * atSecond);

describe('the lane of a pod', () => {
  it('shows each phase of a start with its time, and what lasts without an end', () => {
    const story = entries(
      [0, received],
      [4, { kind: 'volume.mounted', pod, volume: 'data', plugin: 'p', waitedMs: 1000 }],
      [5, { kind: 'volumes.ready', pod, volumes: ['data'], waitedMs: 2000 }],
      [9, { kind: 'sandbox.created', pod, sandboxId: 's', attempt: 0, waitedMs: 1000, durationMs: 2000, podIps: [] }],
      [9, { kind: 'image.pull', pod, image: 'web:1', state: 'queued' }],
      [10, { kind: 'image.pull', pod, image: 'web:1', state: 'pulling' }],
      [13, { kind: 'image.pull', pod, image: 'web:1', state: 'pulled' }],
      [14, started('main')],
      [16, status(true)],
    );
    const made = lane(story, 20);
    expect(spansOf(made)).toEqual([
      ...['queue 0-3', 'volumes data 3-4', 'queue 6-7', 'sandbox 7-9', 'image web:1 9-13', 'start main 13.5-14'],
      ...['running 14-', 'ready 16-'],
    ]);
    expect(made.marks.map(({ kind, of }) => [kind, of])).toEqual([
      ['received', undefined],
      ['started', 'main'],
    ]);
  });

  it('still waits in the queue, for volumes, or for an image', () => {
    expect(spansOf(lane(entries([0, received]), 5))).toEqual(['queue 0-']);
    const waiting: Decision = {
      ...{ kind: 'volumes.waiting', pod, volumes: ['a'], unattached: [], unresolved: [], operation: 'mount' },
      ...{ waitedMs: 120_000, error: 'timed out' },
    };
    expect(spansOf(lane(entries([0, received], [123, waiting]), 130))).toEqual(['queue 0-3', 'volumes 3-']);
    const pulling: Decision = { kind: 'image.pull', pod, image: 'web:1', state: 'pulling' };
    expect(spansOf(lane(entries([0, received], [1, pulling]), 5))).toEqual(['queue 0-1', 'image web:1 1-']);
  });

  it('shows restarts: the exit, the back-off and the next start', () => {
    const story = entries(
      [1, started('main')],
      [2, started('side')],
      [3, status(true)],
      [5, exited('main', 1)],
      [5, status(false)],
      [6, { kind: 'container.restart', pod, container: 'main', action: 'waits', exitCode: 1, backOffMs: 10_000 }],
      [16, { kind: 'container.restart', pod, container: 'main', action: 'now', exitCode: 1, backOffMs: 10_000 }],
      [17, started('main', { restartCount: 1, containerId: 'main-1' })],
    );
    const made = lane(story, 20);
    // One of two containers runs all the time.
    expect(spansOf(made)).toEqual([
      ...[
        'start main 0.5-1',
        'running 1-',
        'start side 1.5-2',
        'ready 3-5',
        'back-off main 6-16',
        'start main 16.5-17',
      ],
    ]);
    expect(made.marks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      ...['started: started', 'started: started', 'exited: exit code 1, Error', 'restarted: started again, restart 1'],
    ]);
  });

  it('ends with the pod', () => {
    const story = entries(
      [1, started('main')],
      [2, status(true)],
      [5, { kind: 'pod.ending', pod, cause: 'deleted' }],
      [7, exited('main', 137)],
      [8, { kind: 'pod.ended', pod }],
    );
    const made = lane(story, 20);
    expect(spansOf(made)).toEqual(['start main 0.5-1', 'running 1-7', 'ready 2-5', 'ending 5-8']);
    expect(made.marks.at(-1)).toEqual({ kind: 'ended', atMs: start + 8000, text: 'ended' });
  });

  it('marks what went wrong, in the words that people search for', () => {
    const story = entries(
      [1, { kind: 'pod.refused', pod, operation: 'add', reason: 'OutOfcpu', message: 'not enough cpu' }],
      [2, { kind: 'container.failed', pod, container: 'main', reason: 'ErrImagePull', error: 'no such image' }],
      [3, { kind: 'sandbox.failed', pod, attempt: 0, durationMs: 0, step: 'create', error: 'no network' }],
      [4, { kind: 'hook.failed', pod, container: 'main', containerId: 'c', hook: 'preStop', durationMs: 1 }],
      [5, { kind: 'oom.killed', podUid: 'u1', process: 'node', pid: 7, cgroup: '/x', limitCgroup: '/x' }],
      [
        6,
        {
          ...{ kind: 'probe.result', pod, container: 'main', containerId: 'c', probe: 'liveness', outcome: 'failure' },
          ...{ output: 'HTTP 500', inARow: 3, threshold: 3, changed: true },
        },
      ],
    );
    expect(lane(story, 10).marks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'refused: OutOfcpu: not enough cpu',
      'failed: ErrImagePull: no such image',
      'failed: sandbox: no network',
      'failed: preStop hook failed',
      'oom: the kernel killed process 7 (node) because memory ran out',
      'probe-failed: liveness probe: HTTP 500',
    ]);
  });

  it('leaves out what was over ten minutes ago, and keeps what still lasts', () => {
    const story = entries([0, received], [1, started('main')], [2, status(true)]);
    const made = lane(story, 2 + historyMs / 1000);
    expect(spansOf(made)).toEqual(['running 1-', 'ready 2-']);
    expect(made.marks).toEqual([]);
  });

  it('knows from the status what the journal no longer has, but not of a pod that has ended', () => {
    const at = (second: number): string => new Date(start + 1000 * second).toISOString();
    const current: PodStatus = {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(40) }],
      containerStatuses: [
        {
          ...{ name: 'main', ready: true, restartCount: 0, image: '', imageID: '' },
          state: { running: { startedAt: at(30) } },
        },
      ],
    };
    expect(spansOf(lane([], 50, current))).toEqual(['running 30-', 'ready 40-']);
    expect(spansOf(lane(entries([45, { kind: 'pod.ended', pod }]), 50, current))).toEqual([]);
  });

  it('stays small, however often a container fails', () => {
    const failures = Array.from({ length: 1000 }, (_, index): readonly [number, Decision] => [
      index / 10,
      { kind: 'container.failed', pod, container: 'main', reason: 'RunContainerError', error: `no. ${index}` },
    ]);
    const { marks } = lane(entries(...failures), 100);
    expect(marks).toHaveLength(100);
    expect(marks.at(-1)?.text).toBe('RunContainerError: no. 999');
  });
});
