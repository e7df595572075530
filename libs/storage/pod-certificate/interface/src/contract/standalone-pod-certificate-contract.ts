import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { PodCertificatesHarness } from './pod-certificate-contract.js';

/** Every implementation without an API server passes this suite; `create` gives a new instance per case. */
export function describeStandalonePodCertificatesContract(
  name: string,
  create: () => Promise<Pick<PodCertificatesHarness, 'podCertificates'>>,
): void {
  describe(`${name} as PodCertificates without an API server`, () => {
    const sources = [{ podCertificate: { signerName: 'x.io/y', keyType: 'ED25519', credentialBundlePath: 'c' } }];
    const pod: Pod = {
      metadata: { namespace: 'prod', name: 'web', uid: 'u1' },
      spec: { containers: [], volumes: [{ name: 'v', projected: { sources } }] },
    };

    it('can be stopped before it was started, and twice', async () => {
      const { podCertificates } = await create();
      await podCertificates.stop();
      await podCertificates.stop();
    });

    it('says that nothing requests certificates', async () => {
      const { podCertificates } = await create();
      await podCertificates.start();
      podCertificates.trackPod(pod);
      expect(() => podCertificates.credentialBundle(pod, 'v', 0)).toThrow(
        expect.objectContaining({ code: 'failed-precondition' }),
      );
      expect(() => podCertificates.forgetPod('u1')).not.toThrow();
      await podCertificates.stop();
    });
  });
}
