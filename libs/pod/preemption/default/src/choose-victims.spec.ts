import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { chooseVictims, isPreemptable } from './choose-victims.js';
import { distance, formatRequirements, podRequest, subtract } from './requirements.js';

type Requests = Readonly<Record<string, string>>;
const pod = (name: string, requests: Requests, limits?: Requests, priority?: number): Pod => ({
  metadata: { name, uid: name },
  spec: {
    containers: [{ name: 'c', resources: { requests, ...(limits && { limits }) } }],
    ...(priority !== undefined && { priority }),
  },
});
const critical = pod('critical', {}, undefined, 2_000_000_000);
const cpu = (missing: bigint) => ({ resource: 'cpu', missing });
const memory = (missing: bigint) => ({ resource: 'memory', missing });

// The pods of upstream's own table: kubernetes v1.36 pkg/kubelet/preemption/preemption_test.go.
const [tiny, low, high] = [
  { cpu: '1m', memory: '1Mi', 'ephemeral-storage': '1Mi' },
  { cpu: '100m', memory: '100Mi' },
  { cpu: '300m', memory: '300Mi' },
];
const bestEffort = pod('best-effort', {});
const tinyBurstable = pod('tiny', tiny);
const burstable = pod('burstable', low);
const highBurstable = pod('high-burstable', high);
const guaranteed = pod('guaranteed', low, low);
const highGuaranteed = pod('high-guaranteed', high, high);
const all = [bestEffort, burstable, highBurstable, guaranteed, highGuaranteed];
const mi = 2n ** 20n;

describe('the pods to preempt', () => {
  it.each<[string, readonly Pod[], Parameters<typeof chooseVictims>[2], readonly string[]]>([
    ['nothing is missing', all, [], []],
    ['a place is missing', all, [{ resource: 'pods', missing: 1n }], ['best-effort']],
    ['two places are missing', all, [{ resource: 'pods', missing: 2n }], ['best-effort', 'burstable']],
    ['one small one covers it', all, [cpu(100n), memory(100n * mi)], ['burstable']],
    ['one large one covers it, two small ones would too', all, [cpu(200n)], ['high-burstable']],
    ['both burstable ones are needed', all, [cpu(400n)], ['high-burstable', 'burstable']],
    [
      'a guaranteed one is needed, and with it fewer others',
      all,
      [cpu(500n)],
      ['high-burstable', 'burstable', 'guaranteed'],
    ],
    ['the large guaranteed one is needed', all, [cpu(700n)], ['high-burstable', 'burstable', 'high-guaranteed']],
    ['all are needed', all, [cpu(800n)], ['high-burstable', 'burstable', 'high-guaranteed', 'guaranteed']],
    ['the nearest in two resources', [tinyBurstable, burstable], [cpu(50n), memory(90n * mi)], ['burstable']],
    ['two equal ones: the later', [pod('a', low), pod('b', low)], [cpu(50n)], ['b']],
    ['two that both cover it: the smaller', [highBurstable, burstable], [cpu(50n)], ['burstable']],
    [
      'storage and extended resources',
      [pod('a', { 'example.com/x': '1' }), pod('b', { 'example.com/x': '2', 'ephemeral-storage': '1Gi' })],
      [
        { resource: 'example.com/x', missing: 2n },
        { resource: 'ephemeral-storage', missing: 1n },
      ],
      ['b'],
    ],
  ])('%s', (_name, pods, requirements, expected) => {
    expect(chooseVictims(critical, pods, requirements).map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  it('are none when they would not be enough', () => {
    expect(() => chooseVictims(critical, all, [cpu(801n), memory(100n * mi)])).toThrow(
      'no set of running pods found to reclaim resources: [(res: cpu, q: 1), ]',
    );
  });

  it.each([
    ['critical over ordinary', critical, burstable, true],
    ['ordinary over critical', burstable, critical, false],
    ['critical over critical', critical, pod('x', {}, undefined, 2_000_000_000), false],
    ['higher over lower', pod('x', {}, undefined, 2), pod('y', {}, undefined, 1), true],
    ['lower over higher', pod('x', {}, undefined, 1), pod('y', {}, undefined, 2), false],
    ['over one without priority', pod('x', {}, undefined, 2), burstable, false],
  ])('%s: %#', (_name, preemptor, victim, expected) => {
    expect(isPreemptable(preemptor, victim)).toBe(expected);
  });
});

describe('requirements', () => {
  it.each([
    [[], burstable, 0],
    [[cpu(100n)], burstable, 0],
    [[cpu(200n)], burstable, 0.25],
    [[cpu(200n), memory(200n * mi)], burstable, 0.5],
    [[cpu(200n)], bestEffort, 1],
  ])('%# are this far from a pod', (requirements, victim, expected) => {
    expect(distance(requirements, victim)).toBeCloseTo(expected, 12);
  });

  it('shrink by what pods ask for', () => {
    expect(subtract([cpu(400n), memory(mi)], [burstable, guaranteed])).toEqual([cpu(200n)]);
    expect(formatRequirements([cpu(200n), memory(1n)])).toBe('[(res: cpu, q: 200), (res: memory, q: 1), ]');
    expect(formatRequirements([])).toBe('[]');
    expect(podRequest(bestEffort, 'pods')).toBe(1n);
  });

  it('count the overhead beside a request only', () => {
    const boxed: Pod = {
      ...burstable,
      spec: { ...burstable.spec, overhead: { cpu: '50m', 'ephemeral-storage': '1Gi' } },
    };
    expect(['cpu', 'memory', 'ephemeral-storage'].map((name) => podRequest(boxed, name))).toEqual([
      150n,
      100n * mi,
      0n,
    ]);
  });

  it('count the resources of the pod alone when it has its own', () => {
    const whole: Pod = { ...tinyBurstable, spec: { ...tinyBurstable.spec, resources: { requests: { cpu: '2' } } } };
    expect(['cpu', 'memory'].map((name) => podRequest(whole, name))).toEqual([2000n, 0n]);
  });
});
