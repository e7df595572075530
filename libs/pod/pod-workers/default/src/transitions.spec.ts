import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import type { UpdatePodOptions } from '@podwright/pod-workers-interface';
import { createSeededRandom } from '@podwright/time';
import type { Random } from '@podwright/time';
import { acceptUpdate, rememberWork } from './accept-update.js';
import { effectiveGracePeriod } from './grace-period.js';
import { orphanStep } from './orphan-step.js';
import { newRecord, workState } from './pod-record.js';
import type { PodRecord } from './pod-record.js';
import { requeueDelayMs } from './requeue-delay.js';
import { StaticPodOrder } from './static-pod-order.js';

const pod = (metadata: Pod['metadata'] = {}, phase?: string): Pod => ({
  metadata: { name: 'a', namespace: 'default', uid: 'a', ...metadata },
  spec: { containers: [{ name: 'main' }], terminationGracePeriodSeconds: 30 },
  ...(phase !== undefined && { status: { phase } }),
});
const runningPod = { uid: 'a', name: 'a', namespace: 'default', containers: [], sandboxes: [] };
const record = (parts: Partial<PodRecord> = {}): PodRecord => ({ ...newRecord('a', 'a_default'), ...parts });
const terminating: Partial<PodRecord> = { startedAtMs: 1, terminatingAtMs: 2, gracePeriodSeconds: 30 };
const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('acceptUpdate', () => {
  const kill: UpdatePodOptions = { type: 'kill', pod: pod(), kill: { evict: true } };
  it.each<[string, UpdatePodOptions, Partial<PodRecord>]>([
    ['a live pod', { type: 'create', pod: pod() }, { terminatingAtMs: undefined }],
    ['a runtime-only kill', { type: 'kill', runningPod }, { deleted: true, evicted: false, observedRuntime: true }],
    ['a deletion', { type: 'update', pod: pod({ deletionTimestamp }) }, { deleted: true, evicted: false }],
    ['a terminal phase', { type: 'update', pod: pod({}, 'Failed') }, { deleted: false, evicted: false }],
    ['an eviction', kill, { deleted: false, evicted: true }],
    [
      'an eviction of a pod that is deleted',
      { ...kill, pod: pod({ deletionTimestamp }) },
      { deleted: true, evicted: false },
    ],
    ['an eviction of a pod that has ended', { ...kill, pod: pod({}, 'Failed') }, { deleted: false, evicted: false }],
  ])('sets the flags of %s', (_what, options, flags) => {
    const subject = record();
    expect(acceptUpdate(subject, options, true, 5)).toEqual({
      accepted: true,
      cancelRunning: !('terminatingAtMs' in flags),
    });
    expect(subject).toMatchObject({ terminatingAtMs: 5, ...flags });
  });

  it.each<[string, Partial<PodRecord>, UpdatePodOptions, boolean]>([
    ['a create for a terminating pod', terminating, { type: 'create', pod: pod() }, false],
    [
      'anything after the end',
      { ...terminating, terminatedAtMs: 3, finished: true },
      { type: 'sync', pod: pod() },
      false,
    ],
    [
      'a runtime-only kill of a terminated pod',
      { ...terminating, terminatedAtMs: 3 },
      { type: 'kill', runningPod },
      false,
    ],
    ['a sync of a terminated pod', { ...terminating, terminatedAtMs: 3 }, { type: 'sync', pod: pod() }, true],
    ['a sync of a terminating pod', terminating, { type: 'sync', pod: pod() }, true],
  ])('accepts or ignores %s', (_what, parts, options, accepted) => {
    const subject = record(parts);
    expect(acceptUpdate(subject, options, false, 5).accepted).toBe(accepted);
    expect(subject.restartRequested).toBe(options.type === 'create');
    expect(subject.pending !== undefined).toBe(accepted);
  });

  it.each<[string, number | undefined, boolean, number]>([
    ['shorter', 5, true, 5],
    ['equal', 30, false, 30],
    ['longer', 60, false, 30],
    ['absent', undefined, false, 30],
  ])('cancels the running sync of a terminating pod for a grace that is %s', (_what, asked, cancelRunning, grace) => {
    const subject = record(terminating);
    const options = { ...(asked !== undefined && { kill: { gracePeriodSeconds: asked } }) };
    expect(acceptUpdate(subject, { type: 'kill', pod: pod(), ...options }, false, 5)).toEqual({
      accepted: true,
      cancelRunning,
    });
    expect([subject.gracePeriodSeconds, subject.pending?.gracePeriodSeconds]).toEqual([grace, grace]);
  });

  it('uses the newest spec that was seen for a runtime-only kill', () => {
    const [seen, waiting] = [pod({ labels: { is: 'seen' } }), pod({ labels: { is: 'waiting' } })];
    for (const [parts, expected] of [
      [{ active: { type: 'sync', pod: seen } }, seen],
      [{ active: { type: 'sync', pod: seen }, pending: { type: 'update', pod: waiting } }, waiting],
    ] as const) {
      const subject = record({ startedAtMs: 1, ...parts });
      acceptUpdate(subject, { type: 'kill', runningPod }, false, 5);
      expect([subject.pending?.pod, subject.pending?.runningPod]).toEqual([expected, undefined]);
    }
  });

  it('keeps the oldest time of the updates that were replaced', () => {
    const subject = record();
    for (const nowMs of [5, 6, 7]) acceptUpdate(subject, { type: 'update', pod: pod() }, false, nowMs);
    expect(subject.pending?.receivedAtMs).toBe(5);
  });
});

describe('rememberWork', () => {
  it('keeps pod, mirror pod and grace of earlier updates for a replay, as a sync', () => {
    const subject = record();
    const [own, mirrorPod] = [pod(), pod({ uid: 'mirror' })];
    rememberWork(subject, { type: 'create', pod: own, mirrorPod, receivedAtMs: 1 });
    rememberWork(subject, { type: 'kill', pod: own, gracePeriodSeconds: 3, receivedAtMs: 2 });
    rememberWork(subject, { type: 'update', pod: own, receivedAtMs: 3 });
    expect(subject.active).toEqual({ type: 'sync', pod: own, mirrorPod, gracePeriodSeconds: 3 });
  });
});

describe('effectiveGracePeriod', () => {
  it.each<[number, number | undefined, number | undefined, number | undefined, number]>([
    // so far, of the deletion, override, of the spec -> result
    [0, undefined, undefined, 30, 30],
    [0, undefined, undefined, undefined, 1],
    [0, 0, undefined, 30, 1],
    [0, undefined, 0, 30, 1],
    [0, 20, 10, 30, 10],
    [0, 10, 20, 30, 10],
    [5, 20, 10, 30, 5],
    [5, 3, undefined, 30, 3],
    [5, undefined, undefined, 2, 5],
  ])('of %d so far, %s, %s, %s is %d', (current, ofDeletion, override, ofSpec, expected) => {
    const subject: Pod = {
      metadata: { ...(ofDeletion !== undefined && { deletionGracePeriodSeconds: ofDeletion }) },
      spec: { containers: [], ...(ofSpec !== undefined && { terminationGracePeriodSeconds: ofSpec }) },
    };
    expect(effectiveGracePeriod(current, subject, override)).toBe(expected);
  });
});

describe('orphanStep', () => {
  it.each<[string, Partial<PodRecord>, boolean, string, Partial<PodRecord>]>([
    ['finished', { ...terminating, finished: true }, true, 'forget', {}],
    ['finished and wanted again', { ...terminating, finished: true, restartRequested: true }, false, 'forget', {}],
    ['terminating and wanted again', { ...terminating, restartRequested: true }, false, 'keep', { deleted: false }],
    ['never started', {}, true, 'forget', {}],
    ['never started but running', { observedRuntime: true, terminatingAtMs: 2 }, true, 'work', { deleted: true }],
    [
      'live',
      { startedAtMs: 1, active: { type: 'sync', pod: pod() } },
      true,
      'work',
      { terminatingAtMs: 9, gracePeriodSeconds: 30, deleted: true },
    ],
    [
      'live without a spec',
      { startedAtMs: 1 },
      true,
      'work',
      { terminatingAtMs: 9, gracePeriodSeconds: 1, deleted: true },
    ],
    ['terminating', terminating, true, 'work', { terminatingAtMs: 2, gracePeriodSeconds: 30, deleted: true }],
  ])('of a pod that is %s', (_what, parts, orphan, step, after) => {
    const subject = record(parts);
    expect(orphanStep(subject, orphan, 9)).toBe(step);
    expect(subject).toMatchObject(after);
  });
});

describe('workState', () => {
  it('follows the two times', () => {
    const states = [record(), record(terminating), record({ ...terminating, terminatedAtMs: 3 })].map(workState);
    expect(states).toEqual(['sync', 'terminating', 'terminated']);
  });
});

describe('requeueDelayMs', () => {
  const times = { syncFrequencyMs: 60_000, backOffMs: 10_000 };
  const fixed = (value: number): Random => ({ next: () => value, hex: () => '' });
  const until = (backOffUntilMs: number): Error => Object.assign(new Error('CrashLoopBackOff'), { backOffUntilMs });

  it.each<[string, unknown, number]>([
    ['an error', new Error('x'), 10_000],
    ['a cancelled sync', new DOMException('gone', 'AbortError'), 10_000],
    ['no network', new Error('network is not ready: [cni]'), 1_000],
    ['a back-off', until(1_000 + 25_000), 25_000],
    ['a back-off beyond the sync frequency', until(1_000 + 300_000), 60_000],
    ['a back-off that is over', until(500), 0],
  ])('after %s', (_what, error, baseMs) => {
    expect(requeueDelayMs(error, times, 1_000, fixed(0))).toBe(baseMs);
    expect(requeueDelayMs(error, times, 1_000, fixed(1))).toBe(baseMs * 1.5);
    const random = createSeededRandom(1);
    for (let i = 0; i < 20; i++) {
      const delayMs = requeueDelayMs(error, times, 1_000, random);
      expect(delayMs >= baseMs && delayMs <= baseMs * 1.5).toBe(true);
    }
  });
});

describe('requeueDelayMs after success', () => {
  const due = (nowMs: number, syncFrequencyMs = 60_000): number =>
    nowMs + requeueDelayMs(undefined, { syncFrequencyMs, backOffMs: 1 }, nowMs, createSeededRandom(nowMs));

  it('is 60 to 90 s, in rounds of 5 s that all pods share', () => {
    const rounds = new Set<number>();
    for (let nowMs = 1_000_010; nowMs < 1_005_000; nowMs += 10) {
      const dueMs = due(nowMs);
      expect(dueMs - nowMs >= 60_000 && dueMs - nowMs <= 90_000).toBe(true);
      rounds.add(dueMs);
    }
    const sorted = [...rounds].sort((left, right) => left - right);
    expect(sorted).toEqual([1_065_000, 1_070_000, 1_075_000, 1_080_000, 1_085_000, 1_090_000]);
  });

  it('follows the sync frequency', () => {
    expect(due(1_000, 1_200) % 100).toBe(0);
    expect(due(1_000, 1)).toBeCloseTo(1_001.4, -1);
  });
});

describe('StaticPodOrder', () => {
  it('gives a name to one pod at a time, in order, past those that are gone', () => {
    const gone = new Set<string>();
    const order = new StaticPodOrder((uid) => gone.has(uid));
    for (const uid of ['v1', 'v2', 'v3', 'v4']) order.wait('web', uid);
    expect(order.tryStart('web', 'v2')).toBe(false);
    expect(order.tryStart('web', 'v1')).toBe(true);
    expect(order.tryStart('web', 'v1')).toBe(true);
    expect([order.tryStart('web', 'v2'), order.nextToStart('web')]).toEqual([false, undefined]);
    gone.add('v2');
    order.release('web', 'v3'); // was only waiting
    order.release('web', 'v1');
    expect(order.nextToStart('web')).toBe('v4');
    expect(order.tryStart('other', 'v4')).toBe(false);
    expect(order.tryStart('web', 'v4')).toBe(true);
    order.release('web', 'v4');
    expect(order.nextToStart('web')).toBeUndefined();
  });
});
