import { describe, expect, it } from '@jest/globals';
import { podAskingFor } from '@podwright/allocation-interface/contract';
import { inResizeOrder, type ResizeCandidate } from './resize-order.js';

interface Wish {
  readonly name: string;
  readonly cpu?: string;
  readonly priority?: number;
  readonly guaranteed?: boolean;
  readonly deferredSince?: string;
}

function candidate({ name, cpu = '2', priority, guaranteed, deferredSince }: Wish): ResizeCandidate {
  const pod = podAskingFor(name, cpu, { ...(priority !== undefined && { priority }) });
  return {
    pod: { ...pod, status: { qosClass: guaranteed === true ? 'Guaranteed' : 'Burstable' } },
    allocated: podAskingFor(name, '1'),
    conditions:
      deferredSince === undefined
        ? []
        : [{ type: 'PodResizePending', status: 'True', lastTransitionTime: deferredSince as never }],
  };
}

describe('inResizeOrder', () => {
  it.each<[string, Wish, Wish]>([
    ['who asks for no more comes first, whatever its priority', { name: 'a', cpu: '500m' }, { name: 'b', priority: 9 }],
    ['then the higher priority', { name: 'a', priority: 2 }, { name: 'b', priority: 1, guaranteed: true }],
    ['then Guaranteed', { name: 'a', guaranteed: true }, { name: 'b', deferredSince: '2026-01-01T00:00:00Z' }],
    [
      'then who waits longer',
      { name: 'a', deferredSince: '2026-01-01T00:00:00Z' },
      { name: 'b', deferredSince: '2026-01-01T00:00:01Z' },
    ],
    ['who was deferred before who is new', { name: 'a', deferredSince: '2026-01-01T00:00:00Z' }, { name: 'b' }],
  ])('%s', (_what, first, second) => {
    for (const list of [
      [first, second],
      [second, first],
    ]) {
      const order = inResizeOrder(list.map(candidate), { skipPodLevel: false });
      expect(order.map(({ pod }) => pod.metadata.name)).toEqual(['a', 'b']);
    }
  });
});
