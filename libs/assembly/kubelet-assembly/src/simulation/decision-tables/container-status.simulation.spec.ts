import { afterEach, describe, expect, it } from '@jest/globals';
import type { ContainerStatus, PodStatus } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container, sidecar } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  readonly row: string;
  /** How the API showed the container before. */
  readonly old?: Partial<ContainerStatus>;
  readonly name?: string;
  /** The first status that the kubelet makes. */
  readonly shows: object;
}

const never = { restartPolicy: 'Never' } as const;
const inits = { initContainers: [container('i')] };
const terminated = (exitCode: number) => ({
  terminated: { exitCode, reason: 'Error', containerID: 'simulated://old' },
});
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };
const lost = (message: string) => ({ terminated: { reason: 'ContainerStatusUnknown', exitCode: 137, message } });
const goneWhenDeleted =
  'The container could not be located when the pod was deleted.  The container used to be Running';
const goneWhenTerminated = 'The container could not be located when the pod was terminated';
const old = (name: string, part: Partial<ContainerStatus>): PodStatus => ({
  phase: 'Running',
  containerStatuses: [{ name, ready: true, restartCount: 0, image: 'old:1', imageID: '', ...part }],
});

const rows: readonly Row[] = [
  {
    row: 'default = waiting ContainerCreating',
    records: { main: 'none' },
    shows: {
      state: { waiting: { reason: 'ContainerCreating' } },
      restartCount: 0,
      imageID: '',
      image: 'registry.test/main:1',
    },
  },
  {
    row: 'default = PodInitializing when the pod has any init container',
    spec: inits,
    records: { main: 'none', i: 'running' },
    shows: { state: { waiting: { reason: 'PodInitializing' } } },
  },
  {
    row: 'A old is terminated: the whole old status; B2 no CRI record: stays as in A',
    spec: never,
    records: { main: 'none' },
    old: { state: terminated(3), restartCount: 4 },
    shows: { state: terminated(3), restartCount: 4, image: 'old:1' },
  },
  {
    row: 'A else: restartCount and lastState of old; B5 no CRI record, old waiting: stays as in A',
    records: { main: 'none' },
    old: { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: terminated(7), restartCount: 5 },
    shows: { state: { waiting: { reason: 'ContainerCreating' } }, lastState: terminated(7), restartCount: 5 },
  },
  {
    row: 'B3 no CRI record, old running, no lastState yet',
    records: { main: 'none' },
    old: { state: running, restartCount: 2 },
    shows: { state: { waiting: { reason: 'ContainerCreating' } }, lastState: lost(goneWhenDeleted), restartCount: 3 },
  },
  {
    row: 'B3 restartCount + 1 unless deletionTimestamp is set',
    records: { main: 'none' },
    old: { state: running, restartCount: 2 },
    parts: { metadata: deleted },
    shows: { lastState: lost(goneWhenDeleted), restartCount: 2 },
  },
  {
    row: 'B4 no CRI record, old running, lastState exists already',
    records: { main: 'none' },
    old: { state: running, lastState: terminated(9), restartCount: 2 },
    shows: { state: { waiting: { reason: 'ContainerCreating' } }, lastState: terminated(9), restartCount: 2 },
  },
  {
    row: 'created | waiting, empty reason',
    records: { main: 'created' },
    shows: { state: { waiting: {} }, started: false },
  },
  {
    row: 'running | running, startedAt',
    shows: { state: { running: { startedAt: expect.any(String) as unknown } }, ready: true, started: true },
  },
  {
    row: 'exited | terminated: reason, exit code, startedAt, finishedAt, containerID',
    spec: never,
    records: { main: 'exited 3' },
    shows: {
      state: {
        terminated: {
          exitCode: 3,
          reason: 'Error',
          startedAt: expect.any(String) as unknown,
          finishedAt: expect.any(String) as unknown,
          containerID: expect.stringMatching(/^simulated:\/\//) as unknown,
        },
      },
    },
  },
  {
    row: 'runtime reason is passed through: OOMKilled',
    spec: never,
    records: { main: 'exited OOMKilled' },
    shows: { state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
  },
  {
    row: 'unknown, old running | terminated ContainerStatusUnknown, exit 137, restartCount old + 1',
    records: { main: 'unknown' },
    old: { state: running, restartCount: 2 },
    shows: { state: lost(goneWhenTerminated), restartCount: 3 },
  },
  { row: 'unknown, else | waiting, empty reason', records: { main: 'unknown' }, shows: { state: { waiting: {} } } },
  {
    row: 'restartCount = max(annotation, old)',
    old: { state: { waiting: {} }, restartCount: 6 },
    shows: { state: { running: {} }, restartCount: 6 },
  },
  {
    row: 'restartCount: running, old terminated and the count not larger: old + 1; lastState = old terminated state',
    old: { state: terminated(1), restartCount: 2, containerID: 'simulated://old' },
    shows: { state: { running: {} }, restartCount: 3, lastState: terminated(1) },
  },
  {
    row: 'D1 init container whose newest record exited 0: done',
    spec: inits,
    name: 'i',
    shows: { state: { terminated: { exitCode: 0, reason: 'Completed' } }, ready: true },
  },
  {
    row: 'D2 plain init container without record, a regular container has a record',
    spec: inits,
    name: 'i',
    records: { i: 'none' },
    shows: {
      state: {
        terminated: {
          reason: 'Completed',
          exitCode: 0,
          message:
            'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
        },
      },
    },
  },
  {
    row: 'other fields: image, imageID, containerID, restartCount from the record',
    shows: {
      image: 'registry.test/main:1',
      imageID: expect.stringMatching(/^registry\.test\/main@sha256:/) as unknown,
      containerID: expect.stringMatching(/^simulated:\/\/[0-9a-f]{64}$/) as unknown,
      restartCount: 0,
    },
  },
];

describe('container status', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ row: _row, old: before, name = 'main', shows, ...remains }) => {
    const parts = { ...remains.parts, ...(before && { status: old(name, before) }) };
    // Nothing is made anew, so that the first status stays the only one.
    const hold = ({ node }: PodScene): void => {
      node.statuses.length = 0;
      node.runtime.faults.hang({ rpc: 'createContainer' });
    };
    scene = await openRemains({ ...remains, parts, meanwhile: hold });
    await scene.pass(1_500);
    const [first] = scene.node.statuses;
    const all = [...(first?.status.initContainerStatuses ?? []), ...(first?.status.containerStatuses ?? [])];
    expect(all.find((status) => status.name === name)).toMatchObject(shows);
  });

  it('C2 second newest record: its state becomes lastState; older ones ignored', async () => {
    scene = await openRemains({});
    scene.programs.set('main', ({ attempt }) => (attempt < 3 ? { exitAfterMs: 100, exitCode: attempt } : {}));
    for (const code of [7, 8]) {
      scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', code);
      await scene.node.until(() => scene.record('main')?.running ?? false, 120_000);
    }
    await scene.node.until(() => scene.containerStatus('main')?.restartCount === 3, 120_000);
    expect(scene.containerStatus('main')).toMatchObject({
      state: { running: {} },
      lastState: { terminated: { exitCode: 2 } },
    });
  });

  it('E (re)start and the reason cache has an entry: waiting; a terminated state moves to lastState first', async () => {
    scene = await openRemains({});
    await scene.pass();
    scene.node.runtime.faults.fail({ rpc: 'createContainer' }, { code: 'unknown', message: 'full', times: Infinity });
    scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 5);
    await scene.node.until(() => scene.waiting() === 'CreateContainerError');
    expect(scene.containerStatus('main')).toMatchObject({
      state: { waiting: { reason: 'CreateContainerError', message: 'full' } },
      lastState: { terminated: { exitCode: 5 } },
    });
  });

  it('E not for a container that is not restarted', async () => {
    const containers = [container('main', never), container('second')];
    scene = await openRemains({ spec: { containers }, records: { main: 'exited 1' } });
    await scene.pass();
    expect(scene.containerStatus('main')?.state?.terminated?.exitCode).toBe(1);
  });

  it('regular and ephemeral lists sorted by name, init list in spec order', async () => {
    const containers = ['zeta', 'alpha'].map((name) => container(name));
    const initContainers = ['y', 'x'].map((name) => sidecar(name));
    const ephemeralContainers = ['t', 's'].map((name) => container(name));
    scene = await openRemains({ spec: { containers, initContainers, ephemeralContainers } });
    await scene.pass();
    const names = (statuses: readonly ContainerStatus[] = []) => statuses.map(({ name }) => name);
    expect(names(scene.status?.containerStatuses)).toEqual(['alpha', 'zeta']);
    expect(names(scene.status?.initContainerStatuses)).toEqual(['y', 'x']);
    expect(names(scene.status?.ephemeralContainerStatuses)).toEqual(['s', 't']);
  });

  it.each([{ row: 'live values of a running container, CPU limit only when > 10m', live: '200m', shown: '200m' }])(
    'resources: $row',
    async ({ live, shown }) => {
      const resources = { requests: { cpu: live, memory: '64Mi' }, limits: { cpu: live, memory: '64Mi' } };
      scene = await openRemains({ spec: { containers: [container('main', { resources })] } });
      await scene.pass();
      expect(scene.containerStatus('main')).toMatchObject({
        resources: { limits: { cpu: shown, memory: '64Mi' }, requests: { cpu: shown } },
        allocatedResources: { cpu: live, memory: '64Mi' },
      });
    },
  );

  describe('B1 no CRI record, RestartAllContainers in progress', () => {
    it('waiting RestartingAllContainers, lastState RestartingAllContainers 137, restartCount old + 1', async () => {
      const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
      scene = await openRemains({
        spec: { containers: [container('main', { ...never, restartPolicyRules }), container('second')] },
      });
      await scene.pass();
      scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 42);
      const message = 'The container is removed because RestartAllContainers in place';
      const shown = (): ContainerStatus | undefined =>
        scene.node.statuses
          .flatMap(({ status }) => status.containerStatuses ?? [])
          .find(({ name, state }) => name === 'second' && state?.waiting?.reason === 'RestartingAllContainers');
      await scene.node.until(() => shown() !== undefined);
      expect(shown()).toMatchObject({
        state: { waiting: { reason: 'RestartingAllContainers', message } },
        lastState: { terminated: { reason: 'RestartingAllContainers', exitCode: 137, message } },
        restartCount: 1,
      });
      await scene.node.until(() => scene.node.isReady(scene.pod), 120_000);
      expect(scene.containerStatus('second')?.restartCount).toBe(1);
    });
  });
});
