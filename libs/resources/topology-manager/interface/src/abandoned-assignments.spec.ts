import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { abandonedAssignments } from './abandoned-assignments.js';

const pod = (uid: string, init: readonly string[], containers: readonly string[]): Pod =>
  ({
    metadata: { uid, name: uid },
    spec: { initContainers: init.map((name) => ({ name })), containers: containers.map((name) => ({ name })) },
  }) as unknown as Pod;

describe('abandonedAssignments', () => {
  const assignments = new Map<string, ReadonlyMap<string, number>>([
    [
      'a',
      new Map([
        ['init', 1],
        ['main', 2],
        ['renamed', 3],
      ]),
    ],
    ['gone', new Map([['main', 4]])],
  ]);

  it('are those of pods that are gone and of containers that a pod does not have', () => {
    expect(abandonedAssignments(assignments, [pod('a', ['init'], ['main']), pod('b', [], ['renamed'])])).toEqual([
      { podUid: 'a', container: 'renamed', held: 3 },
      { podUid: 'gone', container: 'main', held: 4 },
    ]);
  });

  it('are all when there is no pod, and none when nothing is held', () => {
    expect(abandonedAssignments(assignments, [])).toHaveLength(4);
    expect(abandonedAssignments(new Map(), [pod('a', [], ['main'])])).toEqual([]);
  });
});
