import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, ContainerStatus, PodSpec } from '@podwright/kube-types';
import { PodScene, container, sidecar, type PodParts } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const deleted: PodParts = {
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
};
const gone = {
  terminated: {
    reason: 'ContainerStatusUnknown',
    exitCode: 137,
    message: 'The container could not be located when the pod was terminated',
  },
};

interface Transition extends Remains {
  readonly row: string;
  readonly name?: string;
  /** Whether the status that revives the container is dropped. */
  readonly dropped: boolean;
}

const rule = (action: string): Partial<Container> => ({
  ...never,
  restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [42] } }],
});
const transitions: readonly Transition[] = [
  { row: 'pods without restartPolicy Always: Never', spec: never, dropped: true },
  { row: 'OnFailure with exit 0', spec: onFailure, records: { main: 'exited 0' }, dropped: true },
  { row: 'unless OnFailure with exit != 0', spec: onFailure, dropped: false },
  { row: 'restartPolicy Always', spec: {}, dropped: false },
  {
    row: 'unless its own rules allow restart',
    spec: { ...never, containers: [container('main', rule('Restart'))] },
    dropped: false,
  },
  {
    row: 'sidecars exempt',
    spec: { ...never, initContainers: [sidecar('s')] },
    records: { s: 'exited 42' },
    name: 's',
    dropped: false,
  },
];

describe('accepting a status', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(transitions)('illegal transition: $row', async ({ row: _row, name = 'main', dropped, ...remains }) => {
    const old: ContainerStatus[] = [
      {
        name,
        ready: false,
        restartCount: 0,
        image: '',
        imageID: '',
        state: { terminated: { exitCode: remains.records?.['main'] === 'exited 0' ? 0 : 42 } },
      },
    ];
    const statuses = name === 's' ? { initContainerStatuses: old } : { containerStatuses: old };
    // The API shows an end that the runtime knows nothing of: there the container runs.
    scene = await openRemains({ ...remains, records: {}, parts: { status: { phase: 'Running', ...statuses } } });
    await scene.pass();
    expect(scene.containerStatus(name)?.state?.running !== undefined).toBe(!dropped);
  });

  it('a status equal to a CACHED one is dropped', async () => {
    scene = await PodScene.open();
    scene.want({});
    await scene.ready();
    await scene.pass();
    const before = scene.node.statuses.length;
    await scene.pass(200_000);
    expect(scene.node.statuses).toHaveLength(before);
  });

  it('lastTransitionTime kept when the status of a condition is unchanged; startTime kept', async () => {
    scene = await PodScene.open();
    scene.want({ containers: [container('main'), container('second')] });
    await scene.ready();
    const times = (): unknown => [scene.condition('PodScheduled')?.lastTransitionTime, scene.status?.startTime];
    const before = times();
    const readyAt = scene.condition('Ready')?.lastTransitionTime;
    await scene.pass(10_000);
    scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 1);
    await scene.node.until(() => scene.containerStatus('main')?.restartCount === 1);
    await scene.ready();
    expect(times()).toEqual(before);
    expect(scene.condition('Ready')?.lastTransitionTime).not.toBe(readyAt);
  });

  it('observedGeneration never decreases', async () => {
    scene = await PodScene.open();
    scene.want({}, { metadata: { generation: 5 } });
    await scene.ready();
    await scene.run({}, { metadata: { generation: 3, labels: { a: 'b' } } });
    expect(scene.status?.observedGeneration).toBe(5);
  });

  it('termination messages limited to 12288 bytes / number of containers', async () => {
    scene = await PodScene.open({ runtime: { writesLogFiles: true } });
    const message = 'x'.repeat(4_096);
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) scene.programs.set(name, { exitAfterMs: 100, terminationMessage: message });
    await scene.run({ ...never, containers: names.map((name) => container(name)) });
    const lengths = names.map((name) => scene.containerStatus(name)?.state?.terminated?.message?.length);
    expect(lengths).toEqual([3_072, 3_072, 3_072, 3_072]);
  });

  describe('TerminatePod', () => {
    interface Row {
      readonly row: string;
      readonly from?: 'file' | 'api';
      readonly spec?: Partial<PodSpec>;
      readonly status?: PodParts['status'];
      readonly lose?: readonly string[];
      readonly phase: string;
      readonly shows: Readonly<Record<string, object>>;
    }
    const shown = (name: string, state: ContainerStatus['state']): ContainerStatus => ({
      name,
      ready: false,
      restartCount: 0,
      image: '',
      imageID: '',
      ...(state && { state }),
    });
    const waiting = { waiting: { reason: 'PodInitializing' } };
    const rows: readonly Row[] = [
      {
        row: 'every phase other than Succeeded and Failed becomes Failed',
        phase: 'Failed',
        shows: { main: gone },
      },
      { row: '... of non-static pods', from: 'file', phase: 'Pending', shows: {} },
      {
        row: 'regular containers only if the API object shows the pod had initialised',
        spec: { initContainers: [container('i')] },
        phase: 'Failed',
        shows: { i: gone, main: waiting },
      },
      {
        row: 'all init containers up to the last one that is not waiting (at least the first one)',
        spec: { initContainers: [container('i'), container('j')] },
        phase: 'Failed',
        shows: { i: gone, j: waiting, main: waiting },
      },
      {
        row: 'initialised: the last listed init container finished with exit 0',
        spec: { initContainers: [container('i')] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [shown('i', { terminated: { exitCode: 0 } })],
          containerStatuses: [shown('main', waiting)],
        },
        phase: 'Failed',
        shows: { main: gone },
      },
    ];
    // The sandbox cannot be made: the pod ends before any container has a record.
    it.each<Row>(rows)('$row', async ({ from = 'api', spec = {}, status, phase, shows }) => {
      scene = await PodScene.open({ from });
      scene.node.runtime.faults.fail({ rpc: 'runPodSandbox' }, { code: 'unknown', times: Infinity });
      await scene.run(spec, status === undefined ? {} : { status });
      scene.want(spec, { ...deleted, ...(status && { status }) });
      await scene.pass();
      expect(scene.phase).toBe(phase);
      for (const [name, state] of Object.entries(shows)) expect(scene.containerStatus(name)?.state).toEqual(state);
    });
  });
});
