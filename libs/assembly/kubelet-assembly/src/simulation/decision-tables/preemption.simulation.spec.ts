import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { simulatedPod } from '../simulated-pod.js';
import { PodScene, container } from './pod-scene.js';

interface Row {
  readonly row: string;
  /** On a node of two CPUs. */
  readonly before: readonly Pod[];
  readonly preemptor: Pod;
  readonly victims: readonly string[];
  /** Of a preemptor that is refused. */
  readonly refused?: string;
}

const critical = 2_000_000_000;
const burstable = (name: string, cpu: string, more: Partial<PodSpec> = {}): Pod =>
  simulatedPod(name, { containers: [container('main', { resources: { requests: { cpu } } })], ...more });
const guaranteed = (name: string, cpu: string, more: Partial<PodSpec> = {}): Pod => {
  const sizes = { cpu, memory: '64Mi' };
  return simulatedPod(name, {
    containers: [container('main', { resources: { requests: sizes, limits: sizes } })],
    ...more,
  });
};

const rows: readonly Row[] = [
  {
    row: 'Who | priority >= 2000000000',
    before: [burstable('a', '1500m')],
    preemptor: burstable('new', '1', { priority: critical }),
    victims: ['a'],
  },
  {
    row: 'Who | not below',
    before: [burstable('a', '1500m', { priority: 1 })],
    preemptor: burstable('new', '1', { priority: critical - 1 }),
    victims: [],
    refused: 'OutOfcpu',
  },
  {
    row: 'When | any other failure is reported instead',
    before: [burstable('a', '1500m')],
    preemptor: burstable('new', '1', { priority: critical, nodeSelector: { zone: 'b' } }),
    victims: [],
    refused: 'NodeAffinity',
  },
  {
    row: 'Victims | not critical ones of the same priority: must be able to cover all needs',
    before: [burstable('a', '1500m', { priority: critical })],
    preemptor: burstable('new', '1', { priority: critical }),
    victims: [],
    refused: 'UnexpectedAdmissionError',
  },
  {
    row: 'Victims | or lower priority',
    before: [burstable('a', '1500m', { priority: critical })],
    preemptor: burstable('new', '1', { priority: critical + 1_000 }),
    victims: ['a'],
  },
  {
    row: 'Choice | Guaranteed only for what BestEffort + Burstable cannot cover',
    before: [guaranteed('a', '1'), burstable('b', '1')],
    preemptor: burstable('new', '1', { priority: critical }),
    victims: ['b'],
  },
  {
    row: 'Choice | the smallest distance first: one pod that covers all rather than two',
    before: [burstable('a', '500m'), burstable('b', '1'), burstable('c', '500m')],
    preemptor: burstable('new', '1', { priority: critical }),
    victims: ['b'],
  },
  {
    row: 'Choice | both classes where one is not enough',
    before: [guaranteed('a', '1'), burstable('b', '1')],
    preemptor: burstable('new', '1500m', { priority: critical }),
    victims: ['a', 'b'],
  },
];

describe('critical pod preemption', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const isPreempted = (pod: Pod): boolean => scene.node.status(pod)?.reason === 'Preempting';

  it.each(rows)('$row', async ({ before, preemptor, victims, refused }) => {
    scene = await PodScene.open();
    scene.node.want(...before);
    await scene.node.until(() => before.every((pod) => scene.node.isReady(pod)));
    scene.node.want(...before, preemptor);
    if (refused === undefined) await scene.node.until(() => scene.node.isReady(preemptor));
    else await scene.node.until(() => scene.node.status(preemptor)?.reason === refused);
    expect(before.filter(isPreempted).map(({ metadata }) => metadata.name)).toEqual(victims);
    const spared = before.filter((pod) => !isPreempted(pod));
    expect(spared.every((pod) => scene.node.isReady(pod))).toBe(true);
  });

  it("Kill | without grace override (pod's own grace), blocking one by one; Status", async () => {
    scene = await PodScene.open();
    scene.programs.set('main', { onStop: { afterMs: 4_000, exitCode: 143 } });
    const more = { terminationGracePeriodSeconds: 17 };
    const before = [burstable('a', '1', more), burstable('b', '900m', more)];
    scene.node.want(...before);
    await scene.node.until(() => before.every((pod) => scene.node.isReady(pod)));
    scene.forget();
    const preemptor = burstable('new', '1900m', { priority: critical });
    scene.node.want(...before, preemptor);
    await scene.node.until(() => scene.node.isReady(preemptor));
    const [first = 0, second = 0] = scene.times('stopContainer');
    expect(second - first).toBeGreaterThanOrEqual(4_000);
    expect(scene.story().filter((step) => step.startsWith('stop main'))).toEqual(['stop main 17', 'stop main 17']);
    for (const pod of before) {
      const message = 'Preempted in order to admit critical pod';
      expect(scene.node.status(pod)).toMatchObject({ phase: 'Failed', reason: 'Preempting', message });
      expect(scene.node.events(pod).find(({ reason }) => reason === 'Preempting')).toMatchObject({
        type: 'Warning',
        message,
      });
    }
  });
});
