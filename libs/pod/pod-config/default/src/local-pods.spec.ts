import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { VolatileLocalObjects } from '@podwright/local-objects-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { createLocalPods } from './local-pods.module.js';

let objects: VolatileLocalObjects;
let clock: VirtualClock;
let sets: (readonly Pod[])[];
beforeEach(async () => {
  [objects, clock, sets] = [new VolatileLocalObjects(), new VirtualClock(), []];
  await objects.start();
});

const web: Pod = {
  metadata: { name: 'web', namespace: 'default', annotations: { own: 'x' } },
  spec: { containers: [{ name: 'main', image: 'web' }], nodeName: 'former' },
};
const put = (pod: Pod) => objects.commit([{ kind: 'Pod', put: pod }]);
const open = (): Promise<void> =>
  createLocalPods({ objects, clock, logger: createMemoryLogger() }, { nodeName: 'n1' }).open(
    (pods) => void sets.push(pods),
  );
const marked = ({ metadata, ...pod }: Pod, deletionGracePeriodSeconds: number): Pod => ({
  ...pod,
  metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds },
});

describe('a pod of the local API', () => {
  it('keeps its name, and is of this node', async () => {
    await put(web);
    await open();
    expect(sets[0]?.[0]).toMatchObject({
      metadata: {
        ...{ name: 'web', namespace: 'default', uid: 'uid-1' },
        annotations: { own: 'x', 'kubernetes.io/config.hash': 'uid-1' },
      },
      spec: { nodeName: 'n1', restartPolicy: 'Always' },
      status: { phase: 'Pending' },
    });
  });

  it('is the same object until it changes', async () => {
    await put(web);
    await open();
    await put({ ...web, metadata: { ...web.metadata, name: 'other' } });
    await clock.advance(0);
    const [first] = sets[0] ?? [];
    expect(sets[1]?.find(({ metadata }) => metadata.name === 'web')).toBe(first);
  });

  it('is delivered together with all that changes in one turn', async () => {
    await open();
    await Promise.all(['a', 'b', 'c'].map((name) => put({ ...web, metadata: { ...web.metadata, name } })));
    await clock.advance(0);
    expect(sets.map((pods) => pods.length)).toEqual([0, 3]);
  });

  it('that is deleted by force is delivered without time before it is removed', async () => {
    await put(web);
    await open();
    await objects.commit([
      { kind: 'Pod', put: marked(web, 0) },
      { kind: 'Pod', remove: { namespace: 'default', name: 'web' } },
    ]);
    await clock.advance(0);
    expect(sets.map((pods) => pods.map(({ metadata }) => metadata.deletionGracePeriodSeconds))).toEqual([
      ...[[undefined], [0], []],
    ]);
  });

  it('is not delivered when something else changes', async () => {
    await open();
    await objects.commit([{ kind: 'Secret', put: { metadata: { name: 's', namespace: 'default' } } }]);
    await clock.advance(0);
    expect(sets.length).toBe(1);
  });
});
