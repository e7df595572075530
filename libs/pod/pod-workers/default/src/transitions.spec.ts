import { describe, expect, it } from '@jest/globals';
import { PodSandboxState } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodCache } from '@podwright/pod-cache-interface';
import { VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import type { UpdatePodOptions } from '@podwright/pod-workers-interface';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { Random } from '@podwright/time';
import { acceptUpdate, rememberWork } from './accept-update.js';
import { effectiveGracePeriod } from './grace-period.js';
import { orphanStep } from './orphan-step.js';
import { PodLifecycleTable } from './pod-lifecycle-table.js';
import { newRecord, workState } from './pod-record.js';
import type { PodRecord } from './pod-record.js';
import { requeueDelayMs } from './requeue-delay.js';
import { restoreRecord } from './restore-record.js';
import { StaticPodOrder } from './static-pod-order.js';
import { claim, TerminationCheckpoints } from './termination-checkpoints.js';
import { terminationPart } from './termination-part.js';

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
    ['the first', 5, false, 5],
  ])('cancels the running sync of a terminating pod for a grace that is %s', (what, asked, cancelRunning, grace) => {
    const subject = record({ ...terminating, ...(what === 'the first' && { gracePeriodSeconds: 0 }) });
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

  it.each<[string, Partial<PodRecord>, UpdatePodOptions, string | undefined, number]>([
    ['a finished pod', { ...terminating, terminatedAtMs: 3, finished: true }, kill, 'the pod is finished', 1],
    ['a terminated pod', { ...terminating, terminatedAtMs: 3 }, kill, undefined, 1],
    [
      'a terminated pod, from the runtime',
      { ...terminating, terminatedAtMs: 3 },
      { type: 'kill', runningPod },
      'the pod is terminated, its clean-up goes on',
      1,
    ],
    ['a pod that goes on', {}, { type: 'update', pod: pod() }, undefined, 1],
    ['a pod whose end begins', {}, kill, undefined, 0],
    [
      'a pod that will come again',
      terminating,
      { type: 'create', pod: pod() },
      'the pod is terminating; it restarts with the same UID when that is over',
      0,
    ],
  ])('tells who waits for the end of %s, and why it ignores an update', (_what, parts, options, why, told) => {
    let completed = 0;
    const onCompleted = (): void => void (completed += 1);
    const subject = record(parts);
    const outcome = acceptUpdate(subject, { ...options, kill: { ...options.kill, onCompleted } }, false, 5);
    expect(outcome.accepted ? undefined : outcome.why).toBe(why);
    expect(completed).toBe(told);
    expect(subject.waiting).toHaveLength(options === kill && told === 0 ? 1 : 0);
    expect(acceptUpdate(record(parts), options, false, 5).accepted).toBe(why === undefined);
  });

  it('starts a pod under its UID again only where it was known before', () => {
    expect(acceptUpdate(record(terminating), { type: 'create', pod: pod() }, true, 5).accepted).toBe(true);
  });

  it('hands on what the update has, and no more', () => {
    const mirrorPod = pod({ uid: 'mirror' });
    const handed = (options: UpdatePodOptions, parts: Partial<PodRecord> = {}): unknown => {
      const subject = record(parts);
      acceptUpdate(subject, options, false, 5);
      return subject.pending;
    };
    expect(handed({ type: 'update', pod: pod(), mirrorPod })).toStrictEqual({
      ...{ type: 'update', pod: pod(), mirrorPod, receivedAtMs: 5 },
    });
    expect(handed({ type: 'update', pod: pod(), runningPod })).toStrictEqual({
      type: 'update',
      pod: pod(),
      receivedAtMs: 5,
    });
    expect(handed({ type: 'kill', runningPod })).toStrictEqual({
      ...{ type: 'kill', runningPod, receivedAtMs: 5, gracePeriodSeconds: 1 },
    });
    const overrideStatus = (status: object): object => status;
    const ending = record(terminating);
    acceptUpdate(ending, { type: 'kill', pod: pod(), kill: { overrideStatus } }, false, 5);
    acceptUpdate(ending, { type: 'kill', pod: pod() }, false, 6);
    expect(ending.overrideStatus).toBe(overrideStatus);
    expect(ending.pending?.receivedAtMs).toBe(5);
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
    expect(subject.active).toStrictEqual({ type: 'sync', pod: own, mirrorPod, gracePeriodSeconds: 3 });
    rememberWork(subject, { type: 'kill', pod: own, gracePeriodSeconds: 2, receivedAtMs: 4 });
    expect(subject.active?.gracePeriodSeconds).toBe(2);
    const unknown = record();
    rememberWork(unknown, { type: 'kill', runningPod, receivedAtMs: 1 });
    expect(unknown.active).toStrictEqual({ type: 'sync', runningPod });
    rememberWork(unknown, { type: 'update', pod: own, receivedAtMs: 2 });
    expect(unknown.active).toStrictEqual({ type: 'sync', pod: own });
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

describe('restoreRecord', () => {
  const sandbox = (state: PodSandboxState): object => ({ sandboxes: [{ state: 1 - state }, { state }] });
  const ready = PodSandboxState.SANDBOX_READY;
  const off = { sandboxes: [{ state: PodSandboxState.SANDBOX_NOTREADY }] };
  it.each<[string | undefined, object | undefined, boolean]>([
    ['Failed', {}, true],
    ['Succeeded', off, true],
    ['Running', off, false],
    [undefined, off, false],
    ['Failed', sandbox(ready), false],
    ['Failed', { containers: [{ state: 'exited' }, { state: 'running' }] }, false],
    ['Failed', { containers: [{ state: 'exited' }, { state: 'created' }] }, true],
    ['Failed', undefined, false],
  ])('of a pod that is %s, with %j in the runtime: ended %s', (phase, known, ended) => {
    const cache = {
      get: () => {
        if (known === undefined) throw new Error('unknown');
        return { containers: [], sandboxes: [], ...known };
      },
    } as unknown as PodCache;
    const subject = record();
    restoreRecord(subject, pod({}, phase), cache, 7);
    const at = ended ? 7 : undefined;
    expect(subject).toMatchObject({ terminatingAtMs: at, terminatedAtMs: at, observedTermination: ended });
  });
});

describe('TerminationCheckpoints', () => {
  const left = { pod: pod(), gracePeriodSeconds: 30, deleted: false, evicted: true, completed: false };

  it('restores terminations as they were left, and none of another pod or of another format', async () => {
    const checkpoints = new VolatilePodCheckpoints();
    await checkpoints.write('a', terminationPart, left);
    await checkpoints.write('b', terminationPart, left);
    await checkpoints.write('c', { ...terminationPart, decode: () => undefined }, { pod: 'c' });
    const restored = new TerminationCheckpoints(checkpoints, new VirtualClock()).restore();
    const { pod: own, ...flags } = left;
    expect(restored).toEqual([expect.objectContaining({ ...flags, uid: 'a', active: { type: 'sync', pod: own } })]);
  });
});

describe('claim', () => {
  const left: Partial<PodRecord> = { ...terminating, restored: 'unclaimed' };
  it.each<[string, Partial<PodRecord>, Pod, 'create' | 'update', string, Partial<PodRecord>]>([
    ['wanted again', left, pod(), 'create', 'wanted-again', { restored: 'claimed', restartRequested: true }],
    ['deleted', left, pod({ deletionTimestamp }), 'create', 'ending', { restored: 'claimed', deleted: true }],
    [
      'evicted',
      { ...left, evicted: true },
      pod(),
      'create',
      'ending',
      { restored: 'claimed', restartRequested: false },
    ],
    [
      'at its end',
      { ...left, completed: true },
      pod(),
      'create',
      'ending',
      { restartRequested: false, deleted: false },
    ],
    ['at its end for the API', left, pod({}, 'Succeeded'), 'create', 'ending', { restartRequested: false }],
    ['still running for the API', left, pod({}, 'Running'), 'create', 'wanted-again', {}],
    ['finished', { ...left, finished: true }, pod(), 'create', 'no', { restored: 'unclaimed' }],
    ['not new', left, pod(), 'update', 'no', { restored: 'unclaimed' }],
    ['claimed before', { ...left, restored: 'claimed' }, pod(), 'create', 'no', { restartRequested: false }],
    ['of this kubelet', terminating, pod(), 'create', 'no', { restored: undefined }],
  ])('of a termination that was cut off, of a pod that is %s', (_what, parts, own, type, verdict, after) => {
    const subject = record(parts);
    expect(claim(subject, own, type)).toBe(verdict);
    expect(subject).toMatchObject(after);
  });
});

describe('PodLifecycleTable', () => {
  const ended: Partial<PodRecord> = { ...terminating, observedTermination: true, terminatedAtMs: 3 };
  const states: readonly (readonly [string, Partial<PodRecord> | undefined])[] = [
    ['unknown', undefined],
    ['live', { startedAtMs: 1 }],
    ['terminating', terminating],
    ['evicted', { ...terminating, evicted: true }],
    ['deleted', { ...terminating, deleted: true }],
    ['terminated', ended],
    ['deleted and terminated', { ...ended, deleted: true }],
    ['finished', { ...ended, finished: true }],
  ];
  function answers(synced: boolean): Record<string, string> {
    const rows = states.map(([name, parts]) => {
      const table = new PodLifecycleTable();
      if (parts !== undefined) table.put(record(parts));
      if (synced) table.markSynced();
      const said = [
        ...[table.couldHaveRunningContainers('a'), table.isTerminationRequested('a')],
        ...[table.shouldContainersBeTerminating('a'), table.shouldRuntimeBeRemoved('a')],
        ...[table.shouldContentBeRemoved('a'), table.isKnownTerminated('a'), table.isFinished('a')],
      ];
      return [name, said.map((yes) => (yes ? '+' : '-')).join('')] as const;
    });
    return Object.fromEntries(rows);
  }
  const known = {
    live: '+------',
    terminating: '++-----',
    evicted: '++--+--',
    deleted: '++-----',
    terminated: '-+++-+-',
    'deleted and terminated': '-+++++-',
    finished: '-+++-++',
  };

  it('says who may run, is to end, is ending, and whose runtime and content may go', () => {
    expect(answers(false)).toEqual({ unknown: '+------', ...known });
    expect(answers(true)).toEqual({ unknown: '--+++--', ...known });
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

  it('after an error is no longer than the sync frequency', () => {
    expect(requeueDelayMs(new Error('x'), { ...times, syncFrequencyMs: 2_000 }, 1_000, fixed(0))).toBe(2_000);
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

  it('holds a name for a pod of an earlier kubelet, unless another has it', () => {
    const order = new StaticPodOrder(() => false);
    order.hold('web', 'old');
    order.hold('web', 'other');
    order.wait('web', 'new');
    expect([order.tryStart('web', 'new'), order.tryStart('web', 'other'), order.tryStart('web', 'old')]).toEqual([
      ...[false, false, true],
    ]);
    order.release('web', 'other');
    expect(order.nextToStart('web')).toBeUndefined();
    order.release('web', 'old');
    expect([order.nextToStart('web'), order.tryStart('web', 'new')]).toEqual(['new', true]);
  });
});
