import { describe, expect, it } from '@jest/globals';
import type { PodSpec } from '@podwright/kube-types';
import type { ContainerStats, PodStats } from '@podwright/stats-interface';
import { testPod } from '../fixtures/eviction-harness.js';
import type { NodeView } from '../pass/node-observer.js';
import { localStorageEvictions, pressureEviction } from '../pass/plan-evictions.js';
import { exceededLimit, hasLocalStorageLimit } from './exceeded-limit.js';

const time = '';
const mebibyte = 2 ** 20;
const used = (usedBytes: number) => ({ time, usedBytes });
const container = (name: string, rootfs: number, logs: number): ContainerStats => ({
  ...{ name, startTime: time, rootfs: used(rootfs), logs: used(logs) },
});
const statsOf = (stats: Partial<PodStats>): PodStats => ({
  podRef: { name: 'a', namespace: 'default', uid: 'uid-a' },
  startTime: time,
  containers: [],
  ...stats,
});
const limited = (limit: string, name = 'main'): PodSpec['containers'][number] => ({
  ...{ name, image: 'i', resources: { limits: { 'ephemeral-storage': limit } } },
});

const scratch = (sizeLimit?: string, medium?: string): Partial<PodSpec> => ({
  volumes: [{ name: 'scratch', emptyDir: { ...(sizeLimit && { sizeLimit }), ...(medium && { medium }) } }],
});
const volume = (usedBytes: number): Partial<PodStats> => ({ volume: [{ name: 'scratch', ...used(usedBytes) }] });
const emptyDirMessage = 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ';

describe('limits of local storage', () => {
  it.each<[string, Partial<PodSpec>, Partial<PodStats>, readonly string[]]>([
    ['an emptyDir at its limit', scratch('1Mi'), volume(mebibyte), []],
    ['an emptyDir above it', scratch('1Mi'), volume(mebibyte + 1), ['emptydirfs.limit', emptyDirMessage]],
    ['in memory as well', scratch('1024Ki', 'Memory'), volume(mebibyte + 1), ['emptydirfs.limit', emptyDirMessage]],
    [
      'a volume that is no emptyDir',
      { volumes: [{ name: 'scratch', configMap: { name: 'c' } }] },
      volume(mebibyte),
      [],
    ],
    ['a limit of 0 is none', scratch('0'), volume(mebibyte), []],
    ['without a limit', scratch(), volume(mebibyte), []],
    ['not measured', scratch('1Mi'), {}, []],
    [
      'the pod at the sum of its containers',
      { containers: [limited('1Mi'), limited('1Mi', 'side')] },
      { 'ephemeral-storage': used(2 * mebibyte) },
      [],
    ],
    [
      'the pod above it',
      { containers: [limited('1Mi'), limited('1Mi', 'side')] },
      { 'ephemeral-storage': used(2 * mebibyte + 1) },
      ['ephemeralpodfs.limit', 'Pod ephemeral local storage usage exceeds the total limit of containers 2Mi. '],
    ],
    ['no container has a limit', {}, { 'ephemeral-storage': used(2 ** 40) }, []],
    ['a container at its limit', { containers: [limited('10')] }, { containers: [container('main', 4, 6)] }, []],
    [
      'a container above it',
      { containers: [limited('10'), limited('100', 'side')] },
      { containers: [container('side', 25, 25), container('main', 5, 6)] },
      ['ephemeralcontainerfs.limit', 'Container main exceeded its local ephemeral storage limit "10". '],
    ],
    [
      'a container without a limit, one of which only logs are known, and one that the pod does not have',
      { containers: [{ name: 'side', image: 'i' }, { name: 'more', image: 'i', resources: {} }, limited('10')] },
      {
        containers: [
          ...[container('side', 5, 6), container('more', 5, 6), container('gone', 5, 6)],
          { name: 'main', startTime: time, logs: used(11) },
        ],
      },
      ['ephemeralcontainerfs.limit', 'Container main exceeded its local ephemeral storage limit "10". '],
    ],
    ['a container whose limit is 0', { containers: [limited('0')] }, { containers: [container('main', 5, 6)] }, []],
    [
      'an init container has none here',
      { initContainers: [limited('1', 'init')] },
      { containers: [container('init', 5, 6)] },
      [],
    ],
    [
      'the first of several',
      { ...scratch('1Mi'), containers: [limited('1')] },
      { ...volume(mebibyte + 1), 'ephemeral-storage': used(2 ** 30), containers: [container('main', 5, 6)] },
      ['emptydirfs.limit'],
    ],
  ])('%s', (_name, spec, stats, expected) => {
    const exceeded = exceededLimit(testPod('a', spec), statsOf(stats), false);
    const found = exceeded === undefined ? [] : [exceeded.signal, exceeded.message];
    expect(found.slice(0, Math.max(1, expected.length))).toEqual(expected);
  });

  it.each<[string, Partial<PodSpec>, boolean]>([
    ['no limit', {}, false],
    [
      'volumes without one',
      {
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', configMap: {} },
        ],
      },
      false,
    ],
    ['a volume with one', scratch('1Mi'), true],
    ['a container', { containers: [{ name: 'a', image: 'i' }, limited('1')] }, true],
    ['an init container', { initContainers: [limited('1', 'init')] }, true],
    ['the pod as a whole', { resources: { limits: { 'ephemeral-storage': '1' } } }, true],
    ['a limit of memory', { resources: { limits: { memory: '1' } } }, false],
  ])('make a pod worth measuring: %s', (_name, spec, expected) => {
    expect(hasLocalStorageLimit(testPod('a', spec))).toBe(expected);
  });

  it.each([
    ['single', ['a']],
    ['dedicated', []],
    ['split', []],
  ] as const)('end a pod at once for its layers where the disks are %s: %j', (layout, evicted) => {
    const pods = ['a', 'unknown', 'small'].map((name) => testPod(name, { containers: [limited('10')] }));
    const known = new Map([
      ['uid-a', statsOf({ containers: [container('main', 500, 10)] })],
      ['uid-small', statsOf({ containers: [container('main', 0, 10)] })],
    ]);
    const view = { pods, statsOf: (uid: string) => known.get(uid), layout };
    const planned = localStorageEvictions(view as unknown as NodeView);
    expect(planned.map(({ pod }) => pod.metadata.name)).toEqual(evicted);
    for (const one of planned) expect(one).toMatchObject({ annotations: {}, gracePeriodSeconds: 1, disruption: false });
  });

  it('do not count layers that are on another file system', () => {
    const pod = testPod('a', { containers: [limited('10')] });
    expect(exceededLimit(pod, statsOf({ containers: [container('main', 500, 10)] }), true)).toBeUndefined();
    expect(exceededLimit(pod, statsOf({ containers: [container('main', 0, 11)] }), true)).toBeDefined();
  });

  it('are no thresholds, for which no pod is evicted before the signal is observed', () => {
    const view = { observations: {}, statsOf: () => undefined } as unknown as NodeView;
    const threshold = { signal: 'pid.available', value: { share: 0.1 }, gracePeriodMs: 0 } as const;
    const rules = { maxPodGracePeriodSeconds: 0, podLevelResources: true };
    expect(() => pressureEviction(testPod('a'), threshold, view, rules)).toThrow('no observation of pid.available');
  });
});
