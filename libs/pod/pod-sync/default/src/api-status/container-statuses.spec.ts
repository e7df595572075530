import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus, RuntimePodStatus } from '@podwright/container-runtime-interface';
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

const pod = (part: Partial<Pod['spec']> = {}): Pod => ({ metadata: { uid: 'u' }, spec: { restartPolicy: 'Always', containers: [{ name: 'a', image: 'image:1' }], ...part } });
const runtime = (...containers: RuntimeContainerStatus[]): RuntimePodStatus => ({ uid: 'u', name: 'p', namespace: 'd', ips: [], containers, sandboxes: [] });
const old = (part: Partial<ContainerStatus>): ContainerStatus => ({ name: 'a', image: 'image:1', imageID: '', ready: false, restartCount: 0, ...part });

function convert(part: Partial<ContainerStatusInput>): ContainerStatus {
  const input: ContainerStatusInput = {
    pod: pod(),
    kind: 'regular',
    containers: (part.pod ?? pod()).spec.containers,
    previous: [],
    runtime: runtime(),
    runtimeName: 'containerd',
    startFailure: () => undefined,
    ...part,
  };
  return containerStatuses(input)[0] as ContainerStatus;
}

describe('containerStatuses', () => {
  it('shows a container that was never seen as ContainerCreating, or PodInitializing beside init containers', () => {
    expect(convert({}).state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    expect(convert({ pod: pod({ initContainers: [{ name: 'i' }] }) }).state).toEqual({ waiting: { reason: 'PodInitializing' } });
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

  it('takes the second newest record as last state', () => {
    const status = convert({ runtime: runtime(record({ id: 'c2', restartCount: 1 }), record({ id: 'c1', state: 'exited', exitCode: 2, reason: 'Error' })) });
    expect(status.state?.running).toBeDefined();
    expect(status.lastState?.terminated).toMatchObject({ exitCode: 2, reason: 'Error', containerID: 'containerd://c1' });
    expect(status.restartCount).toBe(1);
  });

  it('shows why a container that should run was not started, and keeps its end as last state', () => {
    const status = convert({
      runtime: runtime(record({ state: 'exited', exitCode: 1 })),
      startFailure: () => ({ reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' }),
    });
    expect(status.state).toEqual({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' } });
    expect(status.lastState?.terminated?.exitCode).toBe(1);
  });

  it('leaves the start failure out for a container that will not be started again', () => {
    const never = pod({ restartPolicy: 'Never' });
    const status = convert({ pod: never, runtime: runtime(record({ state: 'exited', exitCode: 1 })), startFailure: () => ({ reason: 'x', message: 'y' }) });
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
    expect(convert({ runtime: runtime(record({ restartCount: 1 })), previous: [old({ state: { running: {} }, restartCount: 5 })] }).restartCount).toBe(5);
  });

  it('reads an init container without record as done once a regular one has been there', () => {
    const both = pod({ initContainers: [{ name: 'i' }] });
    const status = convert({ pod: both, kind: 'init', containers: both.spec.initContainers ?? [], runtime: runtime(record({})) });
    expect(status.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('sorts regular containers by name and keeps init containers in order', () => {
    const two = pod({ containers: [{ name: 'b' }, { name: 'a' }], initContainers: [{ name: 'z' }, { name: 'y' }] });
    const input = { pod: two, previous: [], runtime: runtime(), runtimeName: 'containerd', startFailure: () => undefined };
    expect(containerStatuses({ ...input, kind: 'regular', containers: two.spec.containers }).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(containerStatuses({ ...input, kind: 'init', containers: two.spec.initContainers ?? [] }).map(({ name }) => name)).toEqual(['z', 'y']);
  });
});
