import { describe, expect, it } from '@jest/globals';
import { formatQuantity } from '@podwright/kube-types';
import type { NodeStats } from '@podwright/stats-interface';
import { observeSignals } from './observe-signals.js';

const observed = (node: Partial<NodeStats>): unknown =>
  Object.fromEntries(
    Object.entries(observeSignals({ node: { nodeName: 'n', startTime: '', ...node }, pods: [] })).map(
      ([signal, { available, capacity, time }]) => [
        signal,
        [formatQuantity(available), formatQuantity(capacity), time].join(' '),
      ],
    ),
  );
const fs = (time: string) => ({ time, availableBytes: 1024, capacityBytes: 4096, inodesFree: 1024, inodes: 2048 });
const memory = { time: 'm', availableBytes: 2048, workingSetBytes: 1024, usageBytes: 5000 };

describe('signals of a summary', () => {
  it.each<[string, Partial<NodeStats>, object]>([
    ['memory', { memory }, { 'memory.available': '2Ki 3Ki m' }],
    [
      'memory of all pods',
      {
        systemContainers: ['kubelet', 'pods'].map((name) => ({
          name,
          startTime: '',
          memory: { ...memory, time: name },
        })),
      },
      { 'allocatableMemory.available': '2Ki 3Ki pods' },
    ],
    ['disk', { fs: fs('f') }, { 'nodefs.available': '1Ki 4Ki f', 'nodefs.inodesFree': '1024 2048 f' }],
    [
      'disks of the runtime',
      { runtime: { imageFs: fs('i'), containerFs: fs('c') } },
      {
        'imagefs.available': '1Ki 4Ki i',
        'imagefs.inodesFree': '1024 2048 i',
        'containerfs.available': '1Ki 4Ki c',
        'containerfs.inodesFree': '1024 2048 c',
      },
    ],
    ['processes', { rlimit: { time: 'p', maxpid: 4000, curproc: 1500 } }, { 'pid.available': '2500 4k p' }],
    ['nothing', {}, {}],
    [
      'halves',
      {
        memory: { time: 'm', availableBytes: 1 },
        fs: { time: 'f', availableBytes: 1, inodes: 1 },
        runtime: {},
        rlimit: { time: 'p', maxpid: 1 },
        systemContainers: [{ name: 'pods', startTime: '' }],
      },
      {},
    ],
  ])('%s', (_name, node, expected) => {
    expect(observed(node)).toEqual(expected);
  });
});
