import { describe, expect, it } from '@jest/globals';
import type { CertRotation } from '../cert-rotation.js';

/** One fresh instance and the means to drive what it depends on. */
export interface CertRotationHarness {
  readonly certRotation: CertRotation;
}

/** Every implementation of {@link CertRotation} passes this suite; `create` gives a new instance per case. */
export function describeCertRotationContract(name: string, create: () => Promise<CertRotationHarness>): void {
  describe(`${name} as a CertRotation`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { certRotation } = await create();
      await certRotation.stop();
      await certRotation.stop();
      expect(() => certRotation.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of CertRotation, one case per promise of the interface');
    });
  });
}
