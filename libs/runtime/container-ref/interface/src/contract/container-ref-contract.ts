import { describe, expect, it } from '@jest/globals';
import type { ContainerRef } from '../container-ref.js';

/** One fresh instance and the means to drive what it depends on. */
export interface ContainerRefHarness {
  readonly containerRef: ContainerRef;
}

/** Every implementation of {@link ContainerRef} passes this suite; `create` gives a new instance per case. */
export function describeContainerRefContract(name: string, create: () => Promise<ContainerRefHarness>): void {
  describe(`${name} as a ContainerRef`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { containerRef } = await create();
      await containerRef.stop();
      await containerRef.stop();
      expect(() => containerRef.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of ContainerRef, one case per promise of the interface');
    });
  });
}
