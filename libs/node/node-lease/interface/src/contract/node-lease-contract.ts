import { describe, expect, it } from '@jest/globals';
import type { NodeLease } from '../node-lease.js';

/** One fresh instance and the means to drive what it depends on. */
export interface NodeLeaseHarness {
  readonly nodeLease: NodeLease;
}

/** Every implementation of {@link NodeLease} passes this suite; `create` gives a new instance per case. */
export function describeNodeLeaseContract(name: string, create: () => Promise<NodeLeaseHarness>): void {
  describe(`${name} as a NodeLease`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { nodeLease } = await create();
      await nodeLease.stop();
      await nodeLease.stop();
      expect(() => nodeLease.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of NodeLease, one case per promise of the interface');
    });
  });
}
