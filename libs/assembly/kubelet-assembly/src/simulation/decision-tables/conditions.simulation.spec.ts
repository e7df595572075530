import { afterEach, describe, expect, it } from '@jest/globals';
import type { PodCondition } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container, sidecar } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  readonly row: string;
  readonly type: string;
  /** Of containers whose creation hangs. */
  readonly held?: readonly string[];
  readonly shows: Partial<PodCondition> | undefined;
}

const inits = { initContainers: [container('i')] };
const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const pair = { containers: [container('main'), container('second')] };
const yes: Partial<PodCondition> = { status: 'True' };
const no = (reason: string, message?: string): Partial<PodCondition> => ({
  status: 'False',
  reason,
  ...(message !== undefined && { message }),
});
const unready = { readinessProbe: { exec: { command: ['ask'] }, initialDelaySeconds: 600 } };
const gated = (...types: string[]) => ({ readinessGates: types.map((conditionType) => ({ conditionType })) });
const gate = (type: string, status: string): PodCondition => ({ type, status: status as PodCondition['status'] });

const rows: readonly Row[] = [
  { row: 'PodReadyToStartContainers | a usable sandbox exists', type: 'PodReadyToStartContainers', shows: yes },
  {
    row: 'PodReadyToStartContainers | False reasons: none given',
    type: 'PodReadyToStartContainers',
    meanwhile: ({ node }) => {
      node.runtime.control.loseEverything();
      node.runtime.faults.hang({ rpc: 'runPodSandbox' });
    },
    shows: { status: 'False' },
  },
  { row: 'Initialized | no init containers', type: 'Initialized', shows: yes },
  {
    row: 'Initialized | any regular container running or terminated',
    type: 'Initialized',
    spec: inits,
    records: { i: 'none' },
    shows: yes,
  },
  {
    row: 'Initialized | each plain init ready and each sidecar started',
    type: 'Initialized',
    spec: { initContainers: [container('i'), sidecar('s')] },
    records: { main: 'none' },
    held: ['main'],
    shows: yes,
  },
  {
    row: 'Initialized | ContainersNotInitialized, `containers with incomplete status: [a b]` in spec order',
    type: 'Initialized',
    spec: { initContainers: [container('z'), container('a'), container('n')] },
    records: { main: 'none', z: 'running', a: 'none', n: 'none' },
    shows: no('ContainersNotInitialized', 'containers with incomplete status: [z a n]'),
  },
  {
    row: 'Initialized | phase Succeeded and no init container without status (reason PodCompleted)',
    type: 'Initialized',
    spec: { ...inits, ...onFailure },
    records: { main: 'exited 0' },
    shows: { status: 'True', reason: 'PodCompleted' },
  },
  {
    row: 'ContainersReady | all regular containers and sidecars ready',
    type: 'ContainersReady',
    spec: { ...pair, initContainers: [sidecar('s')] },
    shows: yes,
  },
  {
    row: 'ContainersReady | ContainersNotReady, `containers with unready status: [a b]`, sidecars before regular ones',
    type: 'ContainersReady',
    before: { ...pair, initContainers: [sidecar('s')] },
    spec: {
      containers: [container('second', unready), container('main', unready)],
      initContainers: [sidecar('s', unready)],
    },
    shows: no('ContainersNotReady', 'containers with unready status: [s second main]'),
  },
  {
    row: 'ContainersReady | PodCompleted (Succeeded)',
    type: 'ContainersReady',
    spec: onFailure,
    records: { main: 'exited 0' },
    shows: no('PodCompleted'),
  },
  {
    row: 'ContainersReady | PodFailed (Failed)',
    type: 'ContainersReady',
    spec: never,
    records: { main: 'exited 1' },
    shows: no('PodFailed'),
  },
  {
    row: 'Ready | ContainersReady and each readiness gate condition True',
    type: 'Ready',
    before: {},
    spec: gated('x'),
    parts: { status: { phase: 'Pending', conditions: [gate('x', 'True')] } },
    shows: yes,
  },
  {
    row: 'Ready | copies ContainersReady',
    type: 'Ready',
    before: {},
    spec: { ...gated('x'), containers: [container('main', unready)] },
    shows: no('ContainersNotReady', 'containers with unready status: [main]'),
  },
  {
    row: 'Ready | ReadinessGatesNotReady, messages joined with a comma',
    type: 'Ready',
    before: {},
    spec: gated('x', 'y'),
    parts: { status: { phase: 'Pending', conditions: [gate('y', 'False')] } },
    shows: no(
      'ReadinessGatesNotReady',
      'corresponding condition of pod readiness gate "x" does not exist., the status of pod readiness gate "y" is not "True", but False',
    ),
  },
  { row: 'PodScheduled | always', type: 'PodScheduled', shows: yes },
  {
    row: 'AllContainersRestarting | only pods that have such a rule',
    type: 'AllContainersRestarting',
    shows: undefined,
  },
  {
    row: 'all others are preserved from the API',
    type: 'example.com/foreign',
    parts: {
      status: { phase: 'Running', conditions: [{ type: 'example.com/foreign', status: 'True', reason: 'Mine' }] },
    },
    shows: { status: 'True', reason: 'Mine' },
  },
  {
    row: 'observedGeneration = pod generation',
    type: 'Ready',
    parts: { metadata: { generation: 7 } },
    shows: { status: 'True', observedGeneration: 7 },
  },
];

describe('conditions', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ row: _row, type, held = [], shows, meanwhile, ...remains }) => {
    const hold = async (found: PodScene): Promise<void> => {
      for (const subject of held) found.node.runtime.faults.hang({ rpc: 'createContainer', subject });
      await meanwhile?.(found);
    };
    scene = await openRemains({ ...remains, meanwhile: hold });
    await scene.pass();
    const { lastTransitionTime: _time, ...condition } = scene.condition(type) ?? {};
    if (shows === undefined) expect(scene.condition(type)).toBeUndefined();
    else expect(condition).toMatchObject(shows);
    if (shows?.status === 'False' && shows.reason === undefined) expect(condition).not.toHaveProperty('reason');
  });

  it('order: foreign ones, PodReadyToStartContainers, Initialized, Ready, ContainersReady, PodScheduled, AllContainersRestarting', async () => {
    const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
    const spec = { containers: [container('main', { ...never, restartPolicyRules }), container('second')] };
    const conditions: PodCondition[] = [{ type: 'foreign', status: 'True' }];
    scene = await openRemains({ spec, parts: { status: { phase: 'Running', conditions } } });
    await scene.pass();
    scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 42);
    const restarting = (): readonly PodCondition[] | undefined =>
      scene.node.statuses
        .map(({ status }) => status.conditions ?? [])
        .find((list) => list.some(({ type, status }) => type === 'AllContainersRestarting' && status === 'True'));
    await scene.node.until(() => restarting() !== undefined);
    expect(restarting()?.map(({ type }) => type)).toEqual([
      'foreign',
      'PodReadyToStartContainers',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodScheduled',
      'AllContainersRestarting',
    ]);
    expect(restarting()?.at(-1)).toMatchObject({
      reason: 'RestartAllContainersStarted',
      message: 'container exited with restart policy rule',
    });
    // False as soon as no regular or init container has a record.
    await scene.node.until(() => scene.condition('AllContainersRestarting')?.status !== 'True', 120_000);
  });
});
