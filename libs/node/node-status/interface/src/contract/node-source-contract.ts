import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import { tryParseQuantity } from '@podwright/kube-types';
import type { NodeSource } from '../node-source.js';

/** One fresh instance for a Linux machine, not started, and the name of its node. */
export interface NodeSourceHarness {
  readonly source: NodeSource;
  readonly nodeName: string;
}

/** Every implementation of {@link NodeSource} passes this suite; `create` gives a new instance per case. */
export function describeNodeSourceContract(name: string, create: () => Promise<NodeSourceHarness>): void {
  describe(`${name} as a NodeSource`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { source } = await create();
      await source.stop();
      await source.stop();
    });

    it('knows nothing about the node before its start, and says so', async () => {
      const { source } = await create();
      let thrown: unknown;
      try {
        source.getNode();
      } catch (error) {
        thrown = error;
      }
      expect(hasCode(thrown, 'unavailable')).toBe(true);
      await source.stop();
    });

    it('gives a node of the right name with labels, capacity and allocatable', async () => {
      const { source, nodeName } = await create();
      await source.start();
      const node = source.getNode();
      expect(node.metadata?.name).toBe(nodeName);
      expect(node.metadata?.labels).toMatchObject({ 'kubernetes.io/os': 'linux' });
      for (const list of [node.status?.capacity, node.status?.allocatable]) {
        for (const resource of ['cpu', 'memory', 'pods']) {
          expect(tryParseQuantity(list?.[resource] ?? '')).toBeDefined();
        }
      }
      await source.stop();
    });

    it('says which features the node declares, sorted, at any time', async () => {
      const { source } = await create();
      const before = source.declaredFeatures();
      expect([...before].sort()).toEqual(before);
      await source.start();
      expect([...source.declaredFeatures()].sort()).toEqual(source.declaredFeatures());
      await source.stop();
    });

    it('fetches the same node, and a fetch ends with its signal', async () => {
      const { source, nodeName } = await create();
      await source.start();
      const fetched = await source.fetchNode(new AbortController().signal);
      expect(fetched.metadata?.name).toBe(nodeName);
      await expect(source.fetchNode(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
      await source.stop();
    });
  });
}
