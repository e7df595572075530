import { describe, expect, it } from '@jest/globals';
import type { KubeClient } from '../kube-client.js';

/** One fresh instance and the means to drive what it depends on. */
export interface KubeClientHarness {
  readonly kubeClient: KubeClient;
}

/** Every implementation of {@link KubeClient} passes this suite; `create` gives a new instance per case. */
export function describeKubeClientContract(name: string, create: () => Promise<KubeClientHarness>): void {
  describe(`${name} as a KubeClient`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { kubeClient } = await create();
      await kubeClient.stop();
      await kubeClient.stop();
      expect(() => kubeClient.healthy()).not.toThrow();
    });

    it('does what its interface says', async () => {
      await create();
      throw new Error('not written yet: the contract of KubeClient, one case per promise of the interface');
    });
  });
}
