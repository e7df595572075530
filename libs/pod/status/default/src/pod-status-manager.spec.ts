import { describe, expect, it } from '@jest/globals';
import type { Pod, PodCondition } from '@podwright/kube-types';
import type { PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import { describeStatusManagerContract } from '@podwright/status-interface/contract';
import { harness } from './fixtures/status-harness.js';
import { normalizeStatus, stampConditions } from './normalize-status.js';
import type { PodStatusManager } from './pod-status-manager.js';
import { keepsWhatTheApiLacks } from './status-keeping.js';

describeStatusManagerContract('PodStatusManager', async () => harness());
describeStatusManagerContract('PodStatusManager beside an API server', async () =>
  harness(undefined, keepsWhatTheApiLacks),
);

describe('PodStatusManager', () => {
  const pod: Pod = { metadata: { name: 'p', namespace: 'n', uid: 'u1' }, spec: { containers: [{ name: 'a' }] } };

  it('answers for a static pod under the UID of its mirror pod too', () => {
    const { manager, addPod } = harness();
    addPod(pod, { ...pod, metadata: { ...pod.metadata, uid: 'mirror' } });
    manager.setPodStatus(pod, { phase: 'Running' });
    expect(manager.getPodStatus('mirror')?.phase).toBe('Running');
  });

  it('counts each end of a container once', async () => {
    const { manager, addPod, metrics } = harness();
    addPod(pod);
    const at = (part: object): void => manager.setPodStatus(pod, { phase: 'Running', ...part });
    const ended = { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } };
    const list = (name: string, part: object) => [
      { name, image: '', imageID: '', ready: false, restartCount: 0, ...part },
    ];
    at({ containerStatuses: list('a', { state: { running: {} } }) });
    at({ containerStatuses: list('a', ended) });
    at({ containerStatuses: list('a', { ...ended, restartCount: 1 }) });
    at({ containerStatuses: list('a', { state: { running: {} } }), initContainerStatuses: list('i', ended) });
    at({ containerStatuses: list('a', ended), initContainerStatuses: list('i', ended) });
    const text = await metrics.render();
    const counted = text.split('\n').filter((line) => line.startsWith('kubelet_terminated_containers_total{'));
    expect(counted).toEqual([
      'kubelet_terminated_containers_total{container_type="container",exit_code="137",reason="OOMKilled"} 2',
      'kubelet_terminated_containers_total{container_type="init_container",exit_code="137",reason="OOMKilled"} 1',
    ]);
  });

  it('cuts termination messages to what a pod may carry', () => {
    const { manager, addPod } = harness();
    addPod(pod);
    const state = { terminated: { exitCode: 1, message: 'x'.repeat(20_000) } };
    manager.setPodStatus(pod, {
      containerStatuses: [{ name: 'a', ready: false, restartCount: 0, image: '', imageID: '', state }],
    });
    expect(manager.getPodStatus('u1')?.containerStatuses?.[0]?.state?.terminated?.message).toHaveLength(12_288);
  });

  it('says in the log which container it did not revive', () => {
    const { manager, addPod, logger } = harness();
    const never: Pod = { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } };
    addPod(never);
    const base = { name: 'a', ready: false, restartCount: 0, image: '', imageID: '' };
    manager.setPodStatus(never, { containerStatuses: [{ ...base, state: { terminated: { exitCode: 0 } } }] });
    manager.setPodStatus(never, { containerStatuses: [{ ...base, state: { running: {} } }] });
    expect(JSON.stringify(logger)).toContain('terminated container a attempted illegal transition');
  });

  const base = { name: 'a', ready: false, restartCount: 0, image: '', imageID: '' };

  it('cuts by bytes and never inside a character', () => {
    const { manager, addPod } = harness();
    addPod(pod);
    manager.setPodStatus(pod, {
      containerStatuses: [{ ...base, lastState: { terminated: { exitCode: 1, message: 'x' + 'é'.repeat(10_000) } } }],
    });
    const message = manager.getPodStatus('u1')?.containerStatuses?.[0]?.lastState?.terminated?.message ?? '';
    expect(Buffer.byteLength(message)).toBe(12_287);
    expect(message).not.toContain('\uFFFD');
  });

  it('sorts regular containers by name and init containers as in the spec', () => {
    const { manager, addPod } = harness();
    const of: Pod = {
      ...pod,
      spec: { containers: [{ name: 'b' }, { name: 'a' }], initContainers: [{ name: 'z' }, { name: 'y' }] },
    };
    addPod(of);
    const named = (...names: string[]) => names.map((name) => ({ ...base, name }));
    manager.setPodStatus(of, { containerStatuses: named('b', 'a'), initContainerStatuses: named('y', 'z') });
    const names = (list: readonly { readonly name: string }[] = []) => list.map(({ name }) => name);
    expect(names(manager.getPodStatus('u1')?.containerStatuses)).toEqual(['a', 'b']);
    expect(names(manager.getPodStatus('u1')?.initContainerStatuses)).toEqual(['z', 'y']);
  });

  it('shares the room for messages among all containers, and puts each list in its order', () => {
    const of: Pod = {
      ...pod,
      spec: {
        containers: [{ name: 'a' }],
        initContainers: [{ name: 'y' }, { name: 'x' }],
        ephemeralContainers: [{ name: 'e' }],
      },
    };
    const fits = { terminated: { exitCode: 1, reason: 'Error', message: 'x'.repeat(3_072) } };
    const long = { terminated: { ...fits.terminated, message: `${fits.terminated.message}y` } };
    const list = (state: object, ...names: string[]) =>
      names.map((name) => ({ ...base, name, state, lastState: state }));
    expect(
      normalizeStatus(of, {
        containerStatuses: list(long, 'b', 'a'),
        initContainerStatuses: list(long, 'unknown', 'x', 'y'),
        ephemeralContainerStatuses: list(long, 'f', 'e'),
      }),
    ).toEqual({
      containerStatuses: list(fits, 'a', 'b'),
      initContainerStatuses: list(fits, 'y', 'x', 'unknown'),
      ephemeralContainerStatuses: list(fits, 'e', 'f'),
    });
    const short = { containerStatuses: [base, ...list(fits, 'b'), ...list({ terminated: { exitCode: 0 } }, 'c')] };
    expect(normalizeStatus(of, short)).toStrictEqual(short);
  });

  it.each<[string, object, object, string]>([
    ['the old one', { status: 'True' }, { status: 'True', lastTransitionTime: 'own' }, 'old'],
    ['its own after a change', { status: 'False' }, { status: 'True', lastTransitionTime: 'own' }, 'own'],
    ['now after a change', { status: 'False' }, { status: 'True' }, 'now'],
    [
      'its own when the old one has none',
      { status: 'True', lastTransitionTime: undefined },
      { status: 'True', lastTransitionTime: 'own' },
      'own',
    ],
    ['now when nothing has one', { status: 'True', lastTransitionTime: undefined }, { status: 'True' }, 'now'],
    ['now for a new condition', { type: 'other', status: 'True' }, { status: 'True' }, 'now'],
    [
      'the old one when a resize changes its value',
      { type: 'PodResizeInProgress', reason: 'r', status: 'False' },
      { type: 'PodResizeInProgress', reason: 'r', status: 'True' },
      'old',
    ],
    [
      'now when a resize changes its reason',
      { type: 'PodResizeInProgress', reason: 'r', status: 'True' },
      { type: 'PodResizeInProgress', reason: 's', status: 'True' },
      'now',
    ],
    [
      'now when a pending resize changes its reason',
      { type: 'PodResizePending', reason: 'r', status: 'True' },
      { type: 'PodResizePending', reason: 's', status: 'True' },
      'now',
    ],
  ])('gives a condition a time: %s', (_name, old, next, time) => {
    const previous = [
      { type: 'first', status: 'True', lastTransitionTime: 'first' },
      { type: 'x', lastTransitionTime: 'old', ...old },
    ] as PodCondition[];
    const stamped = stampConditions([{ type: 'x', message: 'm', ...next } as PodCondition], previous, 'now');
    expect(stamped).toEqual([{ type: 'x', message: 'm', ...next, lastTransitionTime: time }]);
  });

  it('lets observedGeneration never go back', () => {
    const { manager, addPod } = harness();
    addPod(pod);
    manager.setPodStatus(pod, { phase: 'Pending', observedGeneration: 4 });
    manager.setPodStatus(pod, { phase: 'Running', observedGeneration: 3 });
    expect(manager.getPodStatus('u1')).toMatchObject({ phase: 'Running', observedGeneration: 4 });
  });

  it('takes times from the mirror pod when it has nothing itself', () => {
    const { manager, addPod } = harness();
    const startTime = '2020-01-01T00:00:00Z';
    const ready = { type: 'Ready', status: 'True' };
    const mirror: Pod = { ...pod, status: { startTime, conditions: [{ ...ready, lastTransitionTime: startTime }] } };
    addPod(pod, mirror);
    manager.setPodStatus(pod, { conditions: [ready] });
    expect(manager.getPodStatus('u1')).toEqual({
      startTime,
      conditions: [{ ...ready, lastTransitionTime: startTime }],
    });
  });

  it('accepts an equal status of a pod that is being deleted, so that the deletion goes on', () => {
    const { manager, addPod } = harness();
    const going: Pod = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    addPod(going);
    let changes = 0;
    manager.watch(() => (changes += 1));
    manager.setPodStatus(going, { phase: 'Running' });
    manager.setPodStatus(going, { phase: 'Running' });
    expect(changes).toBe(2);
  });

  it('compares conditions of others not at all, and the own ones without their times', async () => {
    const { manager, addPod, clock } = harness();
    addPod(pod);
    let changes = 0;
    manager.watch(() => (changes += 1));
    const foreign = (status: string) => ({ type: 'example.com/x', status });
    manager.setPodStatus(pod, { conditions: [foreign('True'), { type: 'Ready', status: 'True' }] });
    await clock.advance(5_000);
    manager.setPodStatus(pod, { conditions: [foreign('False'), { type: 'Ready', status: 'True' }] });
    expect(changes).toBe(1);
    manager.setPodStatus(pod, { conditions: [{ type: 'Ready', status: 'True', message: 'new' }] });
    expect(changes).toBe(2);
  });

  it('moves the time of a resize condition with its reason', async () => {
    const { manager, addPod, clock } = harness();
    addPod(pod);
    const time = () => manager.getPodStatus('u1')?.conditions?.[0]?.lastTransitionTime;
    manager.setPodStatus(pod, { conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Deferred' }] });
    const first = time();
    await clock.advance(5_000);
    manager.setPodStatus(pod, { conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }] });
    expect(time()).not.toBe(first);
  });

  it('takes a startup result without touching the conditions', () => {
    const { manager, addPod } = harness();
    addPod(pod);
    manager.setPodStatus(pod, {
      containerStatuses: [{ ...base, containerID: 'containerd://c', ready: true }],
      conditions: [{ type: 'Ready', status: 'False' }],
    });
    manager.setContainerStartup('u1', 'containerd://c', true);
    expect(manager.getPodStatus('u1')?.containerStatuses?.[0]?.started).toBe(true);
    expect(manager.getPodStatus('u1')?.conditions?.[0]?.status).toBe('False');
  });

  it('tells nobody after stop', async () => {
    const { manager, addPod } = harness();
    addPod(pod);
    let changes = 0;
    manager.watch(() => (changes += 1));
    await manager.stop();
    manager.setPodStatus(pod, { phase: 'Running' });
    expect(changes).toBe(0);
  });

  it('says that statuses are delivered when they are written, and stops waiting when told', async () => {
    let written: () => void = () => undefined;
    class SlowMemory extends VolatilePodCheckpoints {
      override async write<T>(uid: string, part: PodCheckpointPart<T>, value: T | undefined): Promise<void> {
        await super.write(uid, part, value);
        await new Promise<void>((resolve) => (written = resolve));
      }
    }
    const { manager, addPod, advance } = harness(new SlowMemory());
    addPod(pod);
    manager.setPodStatus(pod, { phase: 'Running' });
    const signal = new AbortController();
    await manager.delivered(['never seen'], signal.signal);
    let delivered = false;
    const wait = manager.delivered(['u1', 'never seen'], signal.signal).then(() => (delivered = true));
    await advance(0);
    expect(delivered).toBe(false);
    written();
    await wait;
    const given = manager.delivered(['u1'], signal.signal);
    signal.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
  });

  it('does not take what another version wrote, nor what is empty, but what else there is', async () => {
    const { addPod, checkpoints, restart } = harness();
    addPod(pod);
    const part = { name: 'status.pod-status', decode: () => undefined };
    await checkpoints.write('u1', part, { status: 7 });
    await checkpoints.write('u2', part, { status: { phase: 'Running' }, staticPod: false });
    const containerStatuses = [{ ...base, state: { running: {} } }];
    await checkpoints.write('u3', part, { status: { phase: 'Running', containerStatuses }, staticPod: true });
    const manager = (await restart()) as PodStatusManager;
    expect([...manager.entries().keys()]).toEqual(['u3']);
    expect(manager.entry('u3')).toEqual({
      ...{ status: { phase: 'Running', containerStatuses }, version: 0, namespace: '', name: '' },
      ...{ staticPod: true, finished: false },
    });
  });

  it.each([
    ['an API pod stays finished', {}, true],
    ['a static pod may start again', { annotations: { 'kubernetes.io/config.source': 'file' } }, false],
  ])('counts the versions of a status: %s', (_name, part, finished) => {
    const { addPod, checkpoints, ...made } = harness();
    const manager = made.manager as PodStatusManager;
    const of: Pod = { ...pod, metadata: { ...pod.metadata, ...part } };
    addPod(of);
    const facts = { namespace: 'n', name: 'p', staticPod: !finished };
    manager.setPodStatus(of, { phase: 'Running' });
    expect(manager.entry('u1')).toMatchObject({ ...facts, version: 1, finished: false });
    manager.terminatePod(of);
    expect(manager.entry('u1')).toMatchObject({ ...facts, version: 2, finished: true });
    manager.setPodStatus(of, { phase: 'Failed', reason: 'late' });
    expect(manager.entry('u1')).toMatchObject({ ...facts, version: 3, finished });
    manager.drop('u1');
    manager.drop('u1');
    expect([manager.entry('u1'), checkpoints.calls.length]).toEqual([undefined, 4]);
  });

  it('takes results of probes for init containers, once each, and only while the pod is there', () => {
    const { manager, addPod } = harness();
    const changes: string[] = [];
    manager.watch((uid) => changes.push(uid));
    const status = (name: string) => ({ ...base, name, containerID: `containerd://${name}` });
    const set = (): void =>
      manager.setPodStatus(pod, { containerStatuses: [status('a')], initContainerStatuses: [status('i')] });
    set();
    manager.setContainerReadiness('u1', 'containerd://i', true);
    addPod(pod);
    manager.setContainerReadiness('u1', 'containerd://i', false);
    manager.setContainerStartup('u1', 'containerd://i', true);
    manager.setContainerStartup('u1', 'containerd://i', true);
    manager.setContainerReadiness('u1', 'containerd://i', true);
    manager.setContainerReadiness('u1', 'containerd://i', true);
    expect(changes).toEqual(['u1', 'u1', 'u1']);
    expect(manager.getPodStatus('u1')).toMatchObject({
      containerStatuses: [status('a')],
      initContainerStatuses: [{ ...status('i'), started: true, ready: true }],
    });
    manager.removeOrphanedStatuses(new Set());
    manager.setContainerReadiness('u1', 'containerd://i', false);
    expect(changes).toHaveLength(3);
  });

  it('begins where the API object or the syncer says', () => {
    const of = (part: Partial<Pod>): unknown => {
      const { manager, addPod } = harness();
      const own: Pod = { ...pod, ...part };
      addPod(own);
      manager.setPodStatus(own, { phase: 'Running', startTime: 'own' });
      return manager.getPodStatus('u1');
    };
    expect(of({})).toStrictEqual({ phase: 'Running', startTime: 'own' });
    expect(of({ status: { startTime: 'api', observedGeneration: 3 } })).toStrictEqual({
      ...{ phase: 'Running', startTime: 'api', observedGeneration: 3 },
    });
    expect(of({ metadata: { ...pod.metadata, generation: 5 }, status: { observedGeneration: 3 } })).toMatchObject({
      observedGeneration: 5,
    });
  });

  it('writes nothing for a status that changes nothing', () => {
    const { manager, addPod, checkpoints } = harness();
    addPod(pod);
    manager.setPodStatus(pod, { phase: 'Running' });
    manager.setPodStatus(pod, { phase: 'Running' });
    expect(checkpoints.calls).toEqual(['u1 status.pod-status']);
  });

  it('does not compare claims of resources, which are not its own', () => {
    const { manager, addPod } = harness();
    addPod(pod);
    let changes = 0;
    manager.watch(() => (changes += 1));
    manager.setPodStatus(pod, { phase: 'Running' });
    manager.setPodStatus(pod, { phase: 'Running', resourceClaimStatuses: [{ name: 'x' }] });
    expect(changes).toBe(1);
  });
});
