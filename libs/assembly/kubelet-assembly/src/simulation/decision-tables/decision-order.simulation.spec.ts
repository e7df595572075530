import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container, sidecar } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  readonly row: string;
  readonly story: readonly string[];
  readonly phase?: string;
  readonly events?: readonly string[];
}

const noSandbox = ({ node }: PodScene): void => {
  for (const { id } of node.runtime.control.sandboxes) node.runtime.control.killSandbox(id);
};
const restartAll: Partial<Container> = {
  restartPolicy: 'Never',
  restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }],
};
const pair = [container('main'), container('second')];
const main = [container('main')];
const inits = [container('first'), container('then')];

const rows: readonly Row[] = [
  {
    row: '1 RestartAllContainers pending: victims of regular, of init, then sources; not exited ones killed with grace 0',
    spec: {
      initContainers: [container('first'), sidecar('side')],
      containers: [container('main', restartAll), container('second')],
    },
    records: { main: 'exited 42' },
    story: [
      'stop second 2',
      'stop side 2',
      'remove second',
      'remove first',
      'remove side',
      'remove main',
      'start first',
    ],
    phase: 'Pending',
    events: ['Killing: killing'],
  },
  {
    row: '1 if the sandbox also has to be recreated, the pod is killed and only the sandbox is created in this sync',
    spec: { containers: [container('main', restartAll), container('second')] },
    records: { main: 'exited 42' },
    meanwhile: noSandbox,
    story: ['stop sandbox', 'sandbox 1', 'remove second', 'remove main', 'start main', 'start second'],
  },
  {
    row: '2 sandbox must be created, policy Never, attempt != 0, container statuses exist: kill pod only',
    spec: { restartPolicy: 'Never' },
    meanwhile: noSandbox,
    story: ['stop sandbox'],
    phase: 'Failed',
  },
  {
    row: '3 sandbox must be created: kill pod + create sandbox, start all regular ones',
    spec: { containers: pair },
    meanwhile: noSandbox,
    story: ['stop sandbox', 'sandbox 1', 'start main', 'start second'],
  },
  {
    row: '3 all except those whose policy is OnFailure and whose newest record exited 0',
    spec: { containers: pair, restartPolicy: 'OnFailure' },
    records: { main: 'exited 0' },
    meanwhile: noSandbox,
    story: ['stop sandbox', 'sandbox 1', 'start second'],
  },
  {
    row: "3 the container's own OnFailure goes before the pod's policy",
    spec: { containers: [container('main', { restartPolicy: 'OnFailure' }), container('second')] },
    records: { main: 'exited 0' },
    meanwhile: noSandbox,
    story: ['stop sandbox', 'sandbox 1', 'start second'],
  },
  {
    row: '3 if none remain and any regular container has a record: kill only, no sandbox',
    spec: { restartPolicy: 'OnFailure' },
    records: { main: 'exited 0' },
    meanwhile: noSandbox,
    story: ['stop sandbox'],
    phase: 'Succeeded',
  },
  {
    row: '3 if init containers exist: start only init container index 0',
    spec: { initContainers: inits },
    meanwhile: noSandbox,
    story: ['stop sandbox', 'remove then', 'remove first', 'sandbox 1', 'start first'],
    phase: 'Pending',
  },
  {
    row: '4 sandbox fine: ephemeral containers with no status are started, also before the pod is initialised',
    before: { initContainers: inits, containers: main },
    spec: { initContainers: inits, ephemeralContainers: [container('debug')] },
    records: { main: 'none', then: 'running' },
    story: ['start debug'],
    phase: 'Pending',
  },
  {
    row: '5 init containers: not initialised: stop here',
    spec: { initContainers: inits },
    records: { main: 'none', then: 'running' },
    story: [],
    phase: 'Pending',
  },
  {
    row: '5 init containers: kill pod',
    spec: { initContainers: inits, restartPolicy: 'Never' },
    records: { main: 'none', then: 'exited 1' },
    story: ['stop sandbox'],
    phase: 'Failed',
  },
  {
    row: '7 nothing kept and nothing to start: kill pod, sidecars do not keep the pod alive',
    spec: { initContainers: [sidecar('side')], restartPolicy: 'Never' },
    records: { main: 'exited 0' },
    story: ['stop side 30', 'stop sandbox'],
    phase: 'Succeeded',
  },
  {
    row: '7 nothing kept and nothing to start: init starts are dropped',
    spec: { initContainers: [sidecar('side')], restartPolicy: 'Never' },
    records: { main: 'exited 1', side: 'exited 1' },
    story: ['stop sandbox'],
    phase: 'Failed',
  },
];

describe('decision order', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ row: _row, story, phase = 'Running', events = [], ...remains }) => {
    scene = await openRemains(remains);
    await scene.pass();
    expect(scene.story()).toEqual(story);
    expect(scene.phase).toBe(phase);
    expect(scene.events()).toEqual(expect.arrayContaining([...events]));
  });

  it('4 ephemeral containers are never restarted', async () => {
    scene = await openRemains({ spec: {} });
    scene.programs.set('debug', { exitAfterMs: 1_000, exitCode: 1 });
    await scene.run({ ephemeralContainers: [container('debug')] });
    await scene.pass(200_000);
    expect(scene.story()).toEqual(['start debug']);
  });
});
