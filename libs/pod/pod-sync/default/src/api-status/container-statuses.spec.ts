import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { Signal } from '@podwright/cri-client-interface';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { containerStatuses, type ContainerStatusInput } from './container-statuses.js';

const second = 1_000_000_000n;

function record(part: Partial<RuntimeContainerStatus>): RuntimeContainerStatus {
  return {
    id: 'c1',
    name: 'a',
    podSandboxId: 's1',
    state: 'running',
    createdAt: 1n,
    image: 'image:1',
    imageRef: 'sha256:ref',
    imageId: 'sha256:id',
    hash: 'ab',
    restartCount: 0,
    startedAt: 1_700_000_000n * second,
    finishedAt: 0n,
    exitCode: 0,
    reason: '',
    message: '',
    logPath: '',
    cri: { resources: undefined, user: undefined } as RuntimeContainerStatus['cri'],
    ...part,
  };
}

const pod = (part: Partial<Pod['spec']> = {}): Pod => ({
  metadata: { uid: 'u' },
  spec: { restartPolicy: 'Always', containers: [{ name: 'a', image: 'image:1' }], ...part },
});
const runtime = (...containers: RuntimeContainerStatus[]): RuntimePodStatus => ({
  uid: 'u',
  name: 'p',
  namespace: 'd',
  ips: [],
  containers,
  sandboxes: [],
});
const old = (part: Partial<ContainerStatus>): ContainerStatus => ({
  name: 'a',
  image: 'image:1',
  imageID: '',
  ready: false,
  restartCount: 0,
  ...part,
});

function convert(part: Partial<ContainerStatusInput>): ContainerStatus {
  const input: ContainerStatusInput = {
    pod: pod(),
    kind: 'regular',
    containers: (part.pod ?? pod()).spec.containers,
    previous: [],
    runtime: runtime(),
    runtimeName: 'containerd',
    restartingAll: false,
    showStopSignals: false,
    supportsRecursiveReadOnly: true,
    startFailure: () => undefined,
    ...part,
  };
  return containerStatuses(input)[0] as ContainerStatus;
}

describe('containerStatuses', () => {
  it('shows a container that was never seen as ContainerCreating, or PodInitializing beside init containers', () => {
    expect(convert({}).state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    expect(convert({ pod: pod({ initContainers: [{ name: 'i' }] }) }).state).toEqual({
      waiting: { reason: 'PodInitializing' },
    });
  });

  it('shows a running container with id, image and start time', () => {
    expect(convert({ runtime: runtime(record({})) })).toMatchObject({
      state: { running: { startedAt: '2023-11-14T22:13:20Z' } },
      lastState: {},
      image: 'image:1',
      imageID: 'sha256:ref',
      containerID: 'containerd://c1',
      restartCount: 0,
    });
  });

  it('shows a start that failed as 1970, when the runtime says no time', () => {
    const failed = record({ state: 'exited', exitCode: 128, reason: 'StartError', startedAt: 0n });
    expect(convert({ runtime: runtime(failed) }).state?.terminated?.startedAt).toBe('1970-01-01T00:00:00Z');
  });

  it('takes the second newest record as last state', () => {
    const status = convert({
      runtime: runtime(
        record({ id: 'c2', restartCount: 1 }),
        record({ id: 'c1', state: 'exited', exitCode: 2, reason: 'Error' }),
      ),
    });
    expect(status.state?.running).toBeDefined();
    expect(status.lastState?.terminated).toMatchObject({
      exitCode: 2,
      reason: 'Error',
      containerID: 'containerd://c1',
    });
    expect(status.restartCount).toBe(1);
  });

  it('shows why a container that should run was not started, and keeps its end as last state', () => {
    const status = convert({
      runtime: runtime(record({ state: 'exited', exitCode: 1 })),
      startFailure: () => ({ reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' }),
    });
    expect(status.state).toEqual({
      waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' },
    });
    expect(status.lastState?.terminated?.exitCode).toBe(1);
  });

  it('leaves the start failure out for a container that will not be started again', () => {
    const never = pod({ restartPolicy: 'Never' });
    const status = convert({
      pod: never,
      runtime: runtime(record({ state: 'exited', exitCode: 1 })),
      startFailure: () => ({ reason: 'x', message: 'y' }),
    });
    expect(status.state?.terminated?.exitCode).toBe(1);
  });

  it('keeps a terminated status whose record is gone', () => {
    const ended = old({ state: { terminated: { exitCode: 3 } }, restartCount: 4 });
    expect(convert({ previous: [ended], pod: pod({ restartPolicy: 'Never' }) })).toEqual(ended);
  });

  it('tells of a running container whose record vanished', () => {
    const status = convert({ previous: [old({ state: { running: {} }, restartCount: 2 })] });
    expect(status.lastState?.terminated).toEqual({
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was deleted.  The container used to be Running',
    });
    expect(status.restartCount).toBe(3);
  });

  it('never lowers the restart count', () => {
    expect(
      convert({
        runtime: runtime(record({ restartCount: 1 })),
        previous: [old({ state: { running: {} }, restartCount: 5 })],
      }).restartCount,
    ).toBe(5);
  });

  it('reads an init container without record as done once a regular one has been there', () => {
    const both = pod({ initContainers: [{ name: 'i' }] });
    const status = convert({
      pod: both,
      kind: 'init',
      containers: both.spec.initContainers ?? [],
      runtime: runtime(record({})),
    });
    expect(status.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('sorts regular containers by name and keeps init containers in order', () => {
    const two = pod({ containers: [{ name: 'b' }, { name: 'a' }], initContainers: [{ name: 'z' }, { name: 'y' }] });
    const input = {
      pod: two,
      previous: [],
      runtime: runtime(),
      runtimeName: 'containerd',
      restartingAll: false,
      showStopSignals: false,
      supportsRecursiveReadOnly: true,
      startFailure: () => undefined,
    };
    expect(
      containerStatuses({ ...input, kind: 'regular', containers: two.spec.containers }).map(({ name }) => name),
    ).toEqual(['a', 'b']);
    expect(
      containerStatuses({ ...input, kind: 'init', containers: two.spec.initContainers ?? [] }).map(({ name }) => name),
    ).toEqual(['z', 'y']);
  });

  it('shows containers that were removed for a restart of all', () => {
    const message = 'The container is removed because RestartAllContainers in place';
    for (const state of [{ running: {} }, { terminated: { exitCode: 42 } }]) {
      expect(convert({ restartingAll: true, previous: [old({ state, restartCount: 1 })] })).toMatchObject({
        state: { waiting: { reason: 'RestartingAllContainers', message } },
        lastState: { terminated: { reason: 'RestartingAllContainers', exitCode: 137, message } },
        restartCount: 2,
      });
    }
    const waiting = old({ state: { waiting: { reason: 'RestartingAllContainers' } }, restartCount: 2 });
    expect(convert({ restartingAll: true, previous: [waiting] }).restartCount).toBe(2);
  });

  it.each([
    [false, 'ContainerStatusUnknown'],
    [true, 'RestartingAllContainers'],
  ])('gives a running container whose state the runtime lost an end (restarting all: %s)', (restartingAll, reason) => {
    const status = convert({
      restartingAll,
      runtime: runtime(record({ state: 'unknown' })),
      previous: [old({ state: { running: {} }, restartCount: 1, containerID: 'containerd://c1' })],
    });
    expect(status.state?.terminated).toEqual({
      exitCode: 137,
      reason,
      message: 'The container could not be located when the pod was terminated',
    });
    expect(status.restartCount).toBe(2);
  });

  it('shows a created container, and an unknown one that did not run, as waiting without a reason', () => {
    for (const state of ['created', 'unknown'] as const)
      expect(convert({ runtime: runtime(record({ state })) }).state).toEqual({ waiting: {} });
  });

  it('does not count twice when the record of a running container stays away', () => {
    const status = convert({
      previous: [old({ state: { running: {} }, lastState: { terminated: { exitCode: 1 } }, restartCount: 2 })],
    });
    expect(status).toMatchObject({ lastState: { terminated: { exitCode: 1 } }, restartCount: 2 });
  });

  it('does not count a lost container of a pod that is being deleted', () => {
    const going = { ...pod(), metadata: { uid: 'u', deletionTimestamp: 't' } };
    expect(convert({ pod: going, previous: [old({ state: { running: {} }, restartCount: 2 })] }).restartCount).toBe(2);
  });

  it('counts up a container that runs again under an old count', () => {
    const previous = [old({ state: { terminated: { exitCode: 1 } }, restartCount: 3, containerID: 'containerd://c0' })];
    const status = convert({ runtime: runtime(record({ restartCount: 3 })), previous });
    expect(status).toMatchObject({ restartCount: 4, lastState: { terminated: { exitCode: 1 } } });
  });

  it('ends an exited init container without looking at its start failure', () => {
    const both = pod({ initContainers: [{ name: 'i' }] });
    const status = convert({
      pod: both,
      kind: 'init',
      containers: both.spec.initContainers ?? [],
      runtime: runtime(record({ name: 'i', state: 'exited', exitCode: 0 })),
      startFailure: () => ({ reason: 'x', message: 'y' }),
    });
    expect(status.state?.terminated?.exitCode).toBe(0);
  });

  it('says of each mount whether it is recursively read-only', () => {
    const of = pod({
      containers: [
        {
          name: 'a',
          volumeMounts: [
            { name: 'v', mountPath: '/v' },
            { name: 'w', mountPath: '/w', readOnly: true, recursiveReadOnly: 'Enabled' },
            { name: 'x', mountPath: '/x', readOnly: true },
          ],
        },
      ],
    });
    expect(convert({ pod: of, runtime: runtime(record({})) }).volumeMounts).toEqual([
      { name: 'v', mountPath: '/v' },
      { name: 'w', mountPath: '/w', readOnly: true, recursiveReadOnly: 'Enabled' },
      { name: 'x', mountPath: '/x', readOnly: true, recursiveReadOnly: 'Disabled' },
    ]);
  });

  it.each([
    [true, Signal.SIGRTMINPLUS3, 'SIGRTMIN+3'],
    [true, Signal.RUNTIME_DEFAULT, undefined],
    [false, Signal.SIGTERM, undefined],
  ])('stop signals shown: %s, runtime says %s', (showStopSignals, stopSignal, expected) => {
    const cri = { stopSignal } as RuntimeContainerStatus['cri'];
    expect(convert({ showStopSignals, runtime: runtime(record({ cri })) }).stopSignal).toBe(expected);
  });

  it('shows why an ephemeral container was not started', () => {
    const failure = { reason: 'ErrImagePull', message: 'no such image' };
    expect(convert({ kind: 'ephemeral', startFailure: () => failure }).state).toEqual({ waiting: failure });
  });

  it('keeps the end of a container whose record is gone as last state when it could not be started again', () => {
    const ended = old({ state: { terminated: { exitCode: 3 } }, restartCount: 4, containerID: 'containerd://c0' });
    const failure = { reason: 'CrashLoopBackOff', message: 'm' };
    expect(convert({ previous: [ended], startFailure: () => failure })).toMatchObject({
      state: { waiting: failure },
      lastState: { terminated: { exitCode: 3 } },
      restartCount: 4,
      containerID: 'containerd://c0',
    });
  });

  it('shows an older record that was lost as it shows a newest one', () => {
    const status = convert({
      runtime: runtime(record({ id: 'c2', state: 'created' }), record({ id: 'c1', state: 'unknown' })),
      previous: [old({ state: { running: {} }, containerID: 'containerd://c1' })],
    });
    expect(status.lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'ContainerStatusUnknown' });
  });

  it('keeps image, id and mounts of an ended container that is removed for a restart of all', () => {
    const ended = old({ state: { terminated: { exitCode: 42 } }, imageID: 'sha', containerID: 'containerd://c1' });
    const status = convert({ restartingAll: true, previous: [ended] });
    expect(status).toMatchObject({ imageID: 'sha', containerID: 'containerd://c1', restartCount: 1 });
    expect(status.state?.terminated).toBeUndefined();
  });

  describe('mounts', () => {
    const mounts = [
      { name: 'v', mountPath: '/v', readOnly: true, recursiveReadOnly: 'IfPossible' },
      { name: 'w', mountPath: '/w', readOnly: true, recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' },
      { name: 'x', mountPath: '/x', readOnly: true, recursiveReadOnly: 'Enabled' },
      { name: 'y', mountPath: '/y', recursiveReadOnly: 'Disabled' },
    ];
    const of = pod({ containers: [{ name: 'a', volumeMounts: mounts }] });
    const modes = (status: ContainerStatus) => status.volumeMounts?.map(({ recursiveReadOnly }) => recursiveReadOnly);

    it.each([
      [true, ['Enabled', 'Disabled', 'Enabled', undefined]],
      [false, ['Disabled', 'Disabled', 'Disabled', undefined]],
    ])('are shown before the first start, recursive as the runtime can (%s)', (supportsRecursiveReadOnly, expected) => {
      expect(modes(convert({ pod: of, supportsRecursiveReadOnly }))).toEqual(expected);
    });

    it('stay what they were', () => {
      const previous = [old({ volumeMounts: [{ name: 'v', mountPath: '/old' }] })];
      expect(convert({ pod: of, runtime: runtime(record({})), previous }).volumeMounts).toEqual([
        { name: 'v', mountPath: '/old' },
      ]);
    });
  });

  it('shows the user that the runtime tells, without an empty list of groups', () => {
    const withUser = (supplementalGroups: bigint[]) =>
      record({ cri: { user: { linux: { uid: 7n, gid: 8n, supplementalGroups } } } as RuntimeContainerStatus['cri'] });
    expect(convert({ runtime: runtime(withUser([9n])) }).user).toEqual({
      linux: { uid: 7, gid: 8, supplementalGroups: [9] },
    });
    expect(convert({ runtime: runtime(withUser([])) }).user).toEqual({ linux: { uid: 7, gid: 8 } });
  });

  it('carries started and the last end over for the same container, and drops started for another one', () => {
    const previous = [
      old({
        state: { running: {} },
        containerID: 'containerd://c1',
        started: true,
        lastState: { terminated: { exitCode: 9 } },
      }),
    ];
    expect(convert({ runtime: runtime(record({})), previous })).toMatchObject({
      started: true,
      lastState: { terminated: { exitCode: 9 } },
    });
    expect(convert({ runtime: runtime(record({ id: 'c2' })), previous }).started).toBe(false);
  });
});
