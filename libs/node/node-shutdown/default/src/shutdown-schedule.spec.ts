import { describe, expect, it } from '@jest/globals';
import { podOf } from './fixtures/shutdown-harness.js';
import { longestShutdownMs, shutdownGroups, shutdownSchedule } from './shutdown-schedule.js';

const periods = (total: number, critical: number, rest = {}): Parameters<typeof shutdownSchedule>[0] => ({
  enabled: true,
  shutdownGracePeriodMs: total,
  shutdownGracePeriodCriticalPodsMs: critical,
  shutdownGracePeriodByPodPriority: [],
  ...rest,
});
const entry = (priority: number, shutdownGracePeriodSeconds: number): object => ({
  priority,
  shutdownGracePeriodSeconds,
});

describe('shutdownSchedule', () => {
  it.each([
    ['off without periods', periods(0, 0), []],
    ['off behind the gate', periods(30_000, 10_000, { enabled: false }), []],
    ['splits the time', periods(30_000, 10_000), [entry(0, 20), entry(2_000_000_000, 10)]],
    ['counts whole seconds', periods(30_900, 10_500), [entry(0, 20), entry(2_000_000_000, 10)]],
    ['all for ordinary pods', periods(30_000, 0), [entry(0, 30), entry(2_000_000_000, 0)]],
    [
      'by priority, sorted',
      periods(0, 0, { shutdownGracePeriodByPodPriority: [entry(100, 5), entry(0, 9)] }),
      [entry(0, 9), entry(100, 5)],
    ],
  ])('%s', (_name, config, expected) => {
    const schedule = shutdownSchedule(config);
    expect(schedule).toEqual(expected);
    expect(longestShutdownMs(schedule)).toBe(
      schedule.reduce((sum, { shutdownGracePeriodSeconds }) => sum + shutdownGracePeriodSeconds, 0) * 1000,
    );
  });
});

describe('shutdownGroups', () => {
  const schedule = [
    { priority: 10, shutdownGracePeriodSeconds: 1 },
    { priority: 100, shutdownGracePeriodSeconds: 2 },
    { priority: 1000, shutdownGracePeriodSeconds: 3 },
  ];

  it.each([
    ['below the lowest', 5, 10],
    ['without a priority', undefined, 10],
    ['negative', -5, 10],
    ['on a border', 100, 100],
    ['between two', 999, 100],
    ['above the highest', 5000, 1000],
  ])('a pod %s', (_name, priority, group) => {
    expect(shutdownGroups(schedule, [podOf('one', priority)]).map((one) => one.priority)).toEqual([group]);
  });

  it('goes from the least to the most important, without empty groups', () => {
    const groups = shutdownGroups(schedule, [podOf('high', 2000), podOf('low', 1), podOf('also-low', 11)]);
    expect(groups.map(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual([
      ['low', 'also-low'],
      ['high'],
    ]);
  });
});
