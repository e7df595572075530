import { describe, expect, it } from '@jest/globals';
import type { RankedPod } from '@podwright/eviction-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodStats } from '@podwright/stats-interface';
import { createSeededRandom, type Random } from '@podwright/time';
import { testPod } from '../fixtures/eviction-harness.js';
import { rankPods } from './rank-pods.js';
import type { RankingRule } from './ranking-rule.js';

interface Facts {
  readonly pod: Pod;
  readonly stats: PodStats | undefined;
  /** As the generator knows them; the implementation has to find them in pod and statistics. */
  readonly priority: number;
  readonly memory: number;
  readonly memoryRequest: number;
  readonly disk: number;
  readonly inodes: number;
  readonly diskRequest: number;
  readonly processes: number;
}

const rules: Readonly<Record<string, RankingRule>> = {
  memory: { resource: 'memory', parts: [] },
  disk: { resource: 'ephemeral-storage', parts: ['root', 'logs', 'local volumes'] },
  inodes: { resource: 'inodes', parts: ['root', 'logs', 'local volumes'] },
  pids: { resource: 'pids', parts: [] },
};

// Few different numbers, so that all kinds of ties come up.
function pick(random: Random, ...values: readonly number[]): number {
  return values[Math.floor(random.next() * values.length)] ?? 0;
}

function generate(random: Random, count: number): readonly Facts[] {
  return Array.from({ length: count }, (_, index) => {
    const priority = pick(random, -10, 0, 0, 5, 2_000_000_000);
    const memoryRequest = pick(random, 0, 100, 500);
    const diskRequest = pick(random, 0, 10, 1_000);
    const memory = pick(random, 0, 99, 100, 101, 600);
    const [root, logs, volume] = [pick(random, 0, 10, 500), pick(random, 0, 1), pick(random, 0, 5, 1_000)];
    const [rootInodes, volumeInodes] = [pick(random, 0, 3), pick(random, 0, 3, 2_000)];
    const processes = pick(random, 0, 1, 7, 7);
    const requests = { memory: String(memoryRequest), 'ephemeral-storage': String(diskRequest) };
    const pod = testPod(`pod-${index}`, {
      priority,
      containers: [{ name: 'main', image: 'i', resources: { requests } }],
      volumes: [{ name: 'scratch', emptyDir: {} }],
    });
    const time = '2026-01-01T00:00:00Z';
    const stats: PodStats = {
      podRef: { name: `pod-${index}`, namespace: 'default', uid: `uid-pod-${index}` },
      startTime: time,
      memory: { time, workingSetBytes: memory },
      process_stats: { process_count: processes },
      containers: [
        {
          name: 'main',
          startTime: time,
          rootfs: { time, usedBytes: root, inodesUsed: rootInodes },
          logs: { time, usedBytes: logs },
        },
      ],
      volume: [{ name: 'scratch', time, usedBytes: volume, inodesUsed: volumeInodes }],
    };
    const isKnown = random.next() > 0.2;
    return {
      ...{ pod, priority, memory, memoryRequest, diskRequest, processes },
      stats: isKnown ? stats : undefined,
      disk: root + logs + volume,
      inodes: rootInodes + volumeInodes,
    };
  });
}

const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

function ranked(facts: readonly Facts[], rule: RankingRule): readonly Facts[] {
  const byUid = new Map(facts.map((fact) => [fact.pod.metadata.uid, fact]));
  const statsOf = (uid: string): PodStats | undefined => byUid.get(uid)?.stats;
  const pods = facts.map(({ pod }) => pod);
  return rankPods(pods, statsOf, rule, { podLevelResources: true }).map(({ pod }) => {
    const fact = byUid.get(pod.metadata.uid);
    if (fact === undefined) throw new Error('a pod was invented');
    return fact;
  });
}

/** True: `a` must be evicted before `b`; the rules in their own words, first to last. */
type Rule = (a: Facts, b: Facts) => boolean | undefined;

const differ = (before: boolean, after: boolean): boolean | undefined => (before === after ? undefined : before);
const unknownFirst: Rule = (a, b) => differ(a.stats === undefined, b.stats === undefined);
const lowPriorityFirst: Rule = (a, b) => (a.priority === b.priority ? undefined : a.priority < b.priority);
const above = (usage: keyof Facts, request: keyof Facts | 0): Rule => {
  const exceeds = (fact: Facts): boolean =>
    fact.stats !== undefined && Number(fact[usage]) > (request === 0 ? 0 : Number(fact[request]));
  return (a, b) => differ(exceeds(a), exceeds(b));
};
const more = (usage: keyof Facts, request?: keyof Facts): Rule => {
  const excess = (fact: Facts): number => Number(fact[usage]) - (request === undefined ? 0 : Number(fact[request]));
  return (a, b) => (a.stats === undefined || excess(a) === excess(b) ? undefined : excess(a) > excess(b));
};

/** The table of the sheet: in this order, the first rule that tells two pods apart decides. */
const table: Readonly<Record<string, readonly Rule[]>> = {
  memory: [unknownFirst, above('memory', 'memoryRequest'), lowPriorityFirst, more('memory', 'memoryRequest')],
  disk: [unknownFirst, above('disk', 'diskRequest'), lowPriorityFirst, more('disk', 'diskRequest')],
  inodes: [unknownFirst, above('inodes', 0), lowPriorityFirst, more('inodes', 'diskRequest')],
  pids: [lowPriorityFirst, unknownFirst, more('processes')],
};

describe.each(Object.keys(rules))('the ranking by %s', (name) => {
  const rule = rules[name] ?? { resource: 'memory', parts: [] };
  const seeds = Array.from({ length: 60 }, (_, index) => index);

  it.each(seeds)('obeys its rules between any two pods, seed %i', (seed) => {
    const order = ranked(generate(createSeededRandom(`${name} ${seed}`), 30), rule);
    order.forEach((a, place) => {
      for (const b of order.slice(place + 1)) {
        const verdict = table[name]?.map((decide) => decide(a, b)).find((decided) => decided !== undefined);
        // undefined: equal for the rules, and either order will do.
        if (verdict === false) throw new Error(`${a.pod.metadata.name} is before ${b.pod.metadata.name}`);
      }
    });
  });

  it('loses no pod, invents none, and does not care in which order they come', () => {
    for (const seed of seeds.slice(0, 15)) {
      const random = createSeededRandom(`order ${name} ${seed}`);
      const facts = generate(random, 25);
      const names = (order: readonly Facts[]): readonly unknown[] => order.map(({ pod }) => pod.metadata.name);
      const first = names(ranked(facts, rule));
      expect([...first].sort()).toEqual([...names(facts)].sort());
      for (let time = 0; time < 4; time++) expect(names(ranked(shuffled(random, facts), rule))).toEqual(first);
    }
  });

  it('is transitive: any part of the pods keeps the order of the whole', () => {
    for (const seed of seeds.slice(0, 15)) {
      const random = createSeededRandom(`part ${name} ${seed}`);
      const facts = generate(random, 25);
      const whole = ranked(facts, rule);
      const part = facts.filter(() => random.next() < 0.4);
      expect(ranked(part, rule)).toEqual(whole.filter((fact) => part.includes(fact)));
    }
  });

  it('does not change for what it does not measure', () => {
    const random = createSeededRandom(name);
    const facts = generate(random, 25);
    const other = facts.map((fact) => ({
      ...fact,
      stats: fact.stats && {
        ...fact.stats,
        cpu: { time: '', usageNanoCores: Math.floor(random.next() * 1e9) },
        swap: { time: '', swapUsageBytes: Math.floor(random.next() * 1e9) },
      },
    }));
    const names = (order: readonly Facts[]): readonly unknown[] => order.map(({ pod }) => pod.metadata.name);
    expect(names(ranked(other, rule))).toEqual(names(ranked(facts, rule)));
  });
});

it('equal pods are ranked by namespace, name and UID', () => {
  const identities = ['a b 2', 'b a 1', 'a a 3', 'a b 1', 'b a 0', 'a a 4'];
  const pods = identities.map((each): Pod => {
    const [namespace, name, uid] = each.split(' ');
    return { ...testPod('x'), metadata: { namespace: namespace ?? '', name: name ?? '', uid: uid ?? '' } };
  });
  const order = rankPods(pods, () => undefined, { resource: 'memory', parts: [] }, { podLevelResources: true });
  expect(order.map(({ numbers: { namespace, name, uid } }) => `${namespace} ${name} ${uid}`)).toEqual(
    identities.toSorted(),
  );
});

describe('the numbers of a ranked pod', () => {
  const stats = (memory: number): PodStats => ({
    podRef: { name: 'a', namespace: 'default', uid: 'uid-a' },
    startTime: '',
    containers: [],
    memory: { time: '', workingSetBytes: memory },
  });
  const numbersOf = (pod: Pod, resource: RankingRule['resource'], podLevelResources = true): RankedPod | undefined =>
    rankPods([pod], () => stats(300), { resource, parts: [] }, { podLevelResources })[0]?.numbers;
  const requests = (memory: string, more: object = {}): Pod['spec']['containers'][number] => ({
    ...{ name: 'main', image: 'i', resources: { requests: { memory } }, ...more },
  });

  it.each<[string, Pod, number]>([
    ['sum of containers', testPod('a', { containers: [requests('100'), requests('50')] }), 150],
    ['largest init container', testPod('a', { containers: [requests('1')], initContainers: [requests('70')] }), 70],
    [
      'sidecars beside the containers',
      testPod('a', { containers: [requests('1')], initContainers: [requests('70', { restartPolicy: 'Always' })] }),
      71,
    ],
    [
      'overhead where something is asked for',
      testPod('a', { containers: [requests('1')], overhead: { memory: '9' } }),
      10,
    ],
    ['no overhead alone', testPod('a', { overhead: { memory: '9' } }), 0],
    [
      'the pod as a whole',
      testPod('a', { containers: [requests('1')], resources: { requests: { memory: '400' } } }),
      400,
    ],
  ])('request of memory: %s', (_name, pod, request) => {
    expect(numbersOf(pod, 'memory')).toMatchObject({
      request,
      usage: 300,
      excess: 300 - request,
      exceedsRequest: 300 > request,
    });
  });

  it('do not count the request of the pod as a whole without the feature gate', () => {
    const pod = testPod('a', { containers: [requests('1')], resources: { requests: { memory: '400' } } });
    expect(numbersOf(pod, 'memory', false)).toMatchObject({ request: 1, exceedsRequest: true });
  });

  it('have no request of process numbers and inodes, and no usage without statistics', () => {
    const pod = testPod('a', { containers: [requests('100')] });
    const known = { namespace: 'default', name: 'a', uid: 'uid-a', priority: 0, request: 0, exceedsRequest: false };
    expect(numbersOf(pod, 'pids')).toEqual({ ...known, usage: 0, excess: 0 });
    expect(numbersOf(pod, 'inodes')).toEqual({ ...known, usage: 0, excess: 0 });
    const many = rankPods([pod], () => ({ ...stats(1), process_stats: { process_count: 7 } }), rules.pids!, {
      podLevelResources: true,
    });
    expect(many[0]?.numbers).toEqual({ ...known, usage: 7, excess: 7 });
    const unknown = rankPods([pod], () => undefined, rules.memory!, { podLevelResources: true });
    expect(Object.keys(unknown[0]?.numbers ?? {})).toEqual(Object.keys({ ...known }));
  });

  it('say who is exempt', () => {
    expect(numbersOf(testPod('a', {}, true), 'memory')).toMatchObject({ exempt: 'critical' });
    expect(numbersOf(testPod('a', { priority: 1_999_999_999 }), 'memory')).not.toHaveProperty('exempt');
  });
});
