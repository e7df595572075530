import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, PodSpec } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  readonly row: string;
  readonly fails?: readonly string[];
  readonly story: readonly string[];
  readonly killing?: string;
  /** Default 2.5 s, which is shorter than the pause before a second restart. */
  readonly forMs?: number;
}

const probe = (word: string) => ({ exec: { command: [word] }, periodSeconds: 1, failureThreshold: 1 });
const pair = (own: Partial<Container> = {}, more: Partial<PodSpec> = {}): Partial<PodSpec> => ({
  containers: [container('main', own), container('second', { restartPolicy: 'Always' })],
  ...more,
});
const live = { livenessProbe: probe('live') };
const begin = { startupProbe: probe('begin') };
const never = { restartPolicy: 'Never' } as const;
const restart = ['stop main 30', 'start main'];
const anyFailure = { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [0] } }] };
const sized = (cpu: string): Partial<Container> => ({
  resources: { requests: { cpu }, limits: { cpu } },
  resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
});

const rows: readonly Row[] = [
  { row: 'missing | restart decision yes: start', spec: pair(), records: { main: 'none' }, story: ['start main'] },
  {
    row: 'not running | restart decision yes: start',
    spec: pair(),
    records: { main: 'exited 1' },
    story: ['start main'],
  },
  { row: 'not running | restart decision no', spec: pair({}, never), records: { main: 'exited 1' }, story: [] },
  {
    row: 'unknown | also kill first',
    spec: pair({}, never),
    records: { main: 'unknown' },
    story: restart,
    killing: 'Container is in "unknown" state, try killing it before restart',
  },
  {
    row: 'running, hash differs | kill and always start',
    before: pair({}, never),
    spec: pair({ image: 'registry.test/changed:1' }, never),
    story: restart,
    killing: 'Container main definition changed, will be restarted',
  },
  {
    row: 'running, liveness Failure | kill; start',
    spec: pair(live),
    fails: ['live'],
    story: restart,
    killing: 'Container main failed liveness probe, will be restarted',
  },
  {
    row: 'running, liveness Failure | unless policy Never (pod policy)',
    spec: pair(live, never),
    fails: ['live'],
    story: ['stop main 30'],
    killing: 'Container main failed liveness probe',
  },
  {
    row: 'running, liveness Failure | container policy if set',
    spec: pair({ ...live, restartPolicy: 'Always' }, never),
    fails: ['live'],
    story: restart,
    killing: 'Container main failed liveness probe, will be restarted',
  },
  {
    row: 'running, startup Failure | same',
    spec: pair(begin),
    fails: ['begin'],
    story: restart,
    killing: 'Container main failed startup probe, will be restarted',
  },
  {
    row: 'running, startup Failure | same, policy Never',
    spec: pair(begin, never),
    fails: ['begin'],
    story: ['stop main 30'],
    killing: 'Container main failed startup probe',
  },
  {
    row: 'running, resize needs restart | kill + start',
    before: pair(sized('100m')),
    spec: pair(sized('200m')),
    checkpointed: true,
    forMs: 35_000, // resizes that are found at the start are judged after 30 s
    story: restart,
    killing: 'Container main resize requires restart',
  },
  { row: 'running otherwise | keep', spec: pair(), story: [] },
  {
    row: 'order: hash before liveness',
    before: pair(live, never),
    spec: pair({ ...live, image: 'registry.test/changed:1' }, never),
    fails: ['live'],
    story: [...restart, 'stop main 30', 'remove main'],
    killing: 'Container main definition changed, will be restarted',
  },
];

describe('regular containers', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ row: _row, story, fails = [], killing, forMs = 2_500, ...remains }) => {
    const fail = ({ answers }: PodScene): void => fails.forEach((word) => void answers.set(word, { exitCode: 1 }));
    scene = await openRemains({ ...remains, meanwhile: fail });
    await scene.pass(forMs);
    expect(scene.story()).toEqual(story);
    if (killing !== undefined) expect(scene.events('Killing')).toContain(`Killing: ${killing}`);
  });

  it('running, liveness Failure | rules not evaluated', async () => {
    scene = await openRemains({
      spec: pair({ ...live, ...never, ...anyFailure }),
      meanwhile: ({ answers }) => void answers.set('live', { exitCode: 1 }),
    });
    await scene.node.until(() => scene.events('Killing').length > 0);
    expect(scene.events('Killing')).toEqual(['Killing: Container main failed liveness probe']);
  });
});
