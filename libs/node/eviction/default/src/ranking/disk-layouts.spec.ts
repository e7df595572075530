import { describe, expect, it } from '@jest/globals';
import type { DiskLayout } from '../disk-layout.js';
import { nodeReclaim } from '../pass/node-reclaim.js';
import { isSignal, signalNames, signals } from '../signals/signal.js';
import { rankingRule } from './ranking-rule.js';

const all = ['root', 'logs', 'local volumes'];
const both = ['containers', 'images'];

describe('signals by the layout of disks', () => {
  it.each<[DiskLayout, string, readonly string[], readonly string[]]>([
    ['single', 'nodefs', all, both],
    ['single', 'imagefs', all, both],
    ['single', 'containerfs', all, both],
    ['dedicated', 'nodefs', ['logs', 'local volumes'], []],
    ['dedicated', 'imagefs', ['root'], both],
    ['dedicated', 'containerfs', ['root'], both],
    ['split', 'nodefs', all, ['containers']],
    ['split', 'imagefs', [], ['images']],
    ['split', 'containerfs', all, ['containers']],
  ])('%s, %s: measures %j, reclaims %j first', (layout, fileSystem, parts, reclaim) => {
    for (const name of [`${fileSystem}.available`, `${fileSystem}.inodesFree`]) {
      if (!isSignal(name)) throw new Error(name);
      const resource = name.endsWith('inodesFree') ? 'inodes' : 'ephemeral-storage';
      expect(rankingRule(name, layout)).toEqual({ resource, parts });
      expect(nodeReclaim(name, layout)).toEqual(reclaim);
    }
  });

  it.each(['memory.available', 'allocatableMemory.available', 'pid.available'] as const)(
    '%s has nothing to reclaim but pods',
    (signal) => {
      for (const layout of ['single', 'dedicated', 'split'] as const) {
        expect([nodeReclaim(signal, layout), rankingRule(signal, layout).parts]).toEqual([[], []]);
      }
    },
  );

  it('have the conditions and resources of the sheet', () => {
    expect(signalNames.map((name) => [name, signals[name].resource, signals[name].condition])).toEqual([
      ['memory.available', 'memory', 'MemoryPressure'],
      ['allocatableMemory.available', 'memory', 'MemoryPressure'],
      ['nodefs.available', 'ephemeral-storage', 'DiskPressure'],
      ['nodefs.inodesFree', 'inodes', 'DiskPressure'],
      ['imagefs.available', 'ephemeral-storage', 'DiskPressure'],
      ['imagefs.inodesFree', 'inodes', 'DiskPressure'],
      ['containerfs.available', 'ephemeral-storage', 'DiskPressure'],
      ['containerfs.inodesFree', 'inodes', 'DiskPressure'],
      ['pid.available', 'pids', 'PIDPressure'],
    ]);
  });
});
