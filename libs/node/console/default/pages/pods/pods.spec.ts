import { describe, expect, it } from '@jest/globals';
import type { PodRow } from '@podwright/console-interface';
import { shownCgroups } from './cgroup-rows.js';
import { matchingPods, sortedPods, troubleOf } from './trouble.js';

const row = (name: string, more: Partial<PodRow> = {}): PodRow => ({
  ...{ uid: `uid-${name}`, namespace: 'shop', name, source: 'api', phase: 'Running', ready: true, situation: 'ready' },
  ...{ headline: 'The pod runs and is ready.', qosClass: 'Burstable', restarts: 0, containers: 1, readyContainers: 1 },
  labels: {},
  ...more,
});
const names = (rows: readonly PodRow[]): readonly string[] => rows.map(({ name }) => name);
const none = new Map();

describe('pods in a list', () => {
  it('has those in trouble first, then by name', () => {
    const rows = [row('b'), row('c', { situation: 'crash-loop' }), row('a'), row('d', { situation: 'image-pulling' })];
    expect(names(sortedPods(rows, { sort: 'trouble', use: none }))).toEqual(['c', 'd', 'a', 'b']);
    const ended = row('0', { situation: 'succeeded' });
    expect(names(sortedPods([ended, ...rows], { sort: 'trouble', use: none })).at(-1)).toBe('0');
  });
  it('takes a situation that it does not know for trouble', () => {
    expect(troubleOf('of-a-later-version' as PodRow['situation'])).toBe('trouble');
  });
  it('sorts by use, the unknown last', () => {
    const use = new Map([
      ['uid-a', { cpuNanoCores: 1 }],
      ['uid-b', { cpuNanoCores: 5 }],
    ]);
    expect(names(sortedPods([row('c'), row('a'), row('b')], { sort: 'cpu', use }))).toEqual(['b', 'a', 'c']);
  });
  it('finds all words in names, labels and headlines', () => {
    const rows = [
      row('web-1', { labels: { app: 'Web', tier: 'front' } }),
      row('db', { headline: 'Web cannot reach it.' }),
    ];
    expect(names(matchingPods(rows, 'web'))).toEqual(['web-1', 'db']);
    expect(names(matchingPods(rows, 'app=web FRONT'))).toEqual(['web-1']);
    expect(names(matchingPods(rows, '  '))).toEqual(['web-1', 'db']);
  });
});

describe('cgroups in a tree', () => {
  const groups = ['/', '/a', '/a/b', '/a/b/c', '/x/y/z', '/x/y/z/w'].map((path) => ({ path }));
  const shown = (turned: readonly string[], depth: number): readonly string[] =>
    shownCgroups(groups, new Set(turned), depth).map((each) => `${each.depth} ${each.name} ${String(each.open)}`);

  it('opens those above a depth, and hangs one whose parent is missing below the nearest', () => {
    expect(shown([], 2)).toEqual(['0 / true', '1 a true', '2 b false', '1 x/y/z true', '2 w undefined']);
  });
  it('turns those that somebody turned', () => {
    expect(shown(['/a/b', '/x/y/z'], 2)).toEqual([
      '0 / true',
      '1 a true',
      '2 b true',
      '3 c undefined',
      '1 x/y/z false',
    ]);
    expect(shown(['/'], 2)).toEqual(['0 / false']);
  });
});
