import { createPublicKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { CredentialBundle, PodCertificates } from '../pod-certificate.js';

/** How the signer answers requests from now on, and those that wait. */
export type SignerAnswer = 'issue' | 'deny' | 'fail' | 'wait';

/** One fresh instance, and the means to control its dependencies. */
export interface PodCertificatesHarness {
  readonly podCertificates: PodCertificates;
  /** Creates a pod with a volume `v` that has so many `podCertificate` sources. */
  readonly createPod: (sources: number) => Promise<Pod>;
  /** At the start the signer waits. */
  readonly signer: (answer: SignerAnswer) => void;
  /** Resolves when everything that is due has happened. */
  readonly settle: () => Promise<void>;
  /** Lets so much time pass that issued certificates have to be renewed. */
  readonly passLife: () => Promise<void>;
  /** How many requests the API server has got. */
  readonly requests: () => Promise<number>;
}

/** Every implementation of {@link PodCertificates} with an API server passes this suite; `create` gives a new instance per case. */
export function describePodCertificatesContract(name: string, create: () => Promise<PodCertificatesHarness>): void {
  describe(`${name} as PodCertificates`, () => {
    /** The code of what it throws instead of a bundle. */
    const refusal = ({ podCertificates }: PodCertificatesHarness, pod: Pod): string => {
      try {
        podCertificates.credentialBundle(pod, 'v', 0);
        return 'none';
      } catch (error) {
        const codes = ['unavailable', 'permission-denied', 'failed-precondition'] as const;
        return codes.find((code) => hasCode(error, code)) ?? 'another';
      }
    };
    async function started(answer: SignerAnswer, sources = 1): Promise<readonly [PodCertificatesHarness, Pod]> {
      const harness = await create();
      harness.signer(answer);
      await harness.podCertificates.start();
      await harness.settle();
      const pod = await harness.createPod(sources);
      harness.podCertificates.trackPod(pod);
      await harness.settle();
      return [harness, pod];
    }

    it('can be stopped before it was started, and twice', async () => {
      const { podCertificates } = await create();
      await podCertificates.stop();
      await podCertificates.stop();
    });

    it('has nothing until the certificate is issued', async () => {
      const [harness, pod] = await started('wait');
      expect(refusal(harness, pod)).toBe('unavailable');
      harness.signer('issue');
      await harness.settle();
      expect(refusal(harness, pod)).toBe('none');
      await harness.podCertificates.stop();
    });

    it('requests no certificate of a pod that it does not track, and has none', async () => {
      const harness = await create();
      harness.signer('issue');
      await harness.podCertificates.start();
      const pod = await harness.createPod(1);
      await harness.settle();
      expect([refusal(harness, pod), await harness.requests()]).toEqual(['unavailable', 0]);
      await harness.podCertificates.stop();
    });

    it('gives each source a key and a certificate that belong together', async () => {
      const [{ podCertificates }, pod] = await started('issue', 2);
      const bundles = [0, 1].map((index) => podCertificates.credentialBundle(pod, 'v', index));
      for (const bundle of bundles) {
        expect(bundle.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^-]*-----END PRIVATE KEY-----\n$/);
        expect(bundle.certificateChain).toMatch(/^(-----BEGIN CERTIFICATE-----\n[^-]*-----END CERTIFICATE-----\n)+$/);
        expect(createPublicKey(bundle.privateKey).equals(leafOf(bundle).publicKey)).toBe(true);
      }
      expect(bundles[0]?.privateKey).not.toBe(bundles[1]?.privateKey);
      await podCertificates.stop();
    });

    it.each([
      ['deny', 'permission-denied'],
      ['fail', 'failed-precondition'],
    ] as const)('takes the answer %s for the last word', async (answer, code) => {
      const [harness, pod] = await started(answer);
      expect(refusal(harness, pod)).toBe(code);
      harness.signer('issue');
      await harness.passLife();
      expect([refusal(harness, pod), await harness.requests()]).toEqual([code, 1]);
      await harness.podCertificates.stop();
    });

    it('requests one certificate, however often it is told of the pod', async () => {
      const [harness, pod] = await started('wait');
      for (const answer of ['wait', 'issue', 'issue'] as const) {
        harness.signer(answer);
        harness.podCertificates.trackPod(pod);
        await harness.settle();
      }
      expect(await harness.requests()).toBe(1);
      await harness.podCertificates.stop();
    });

    it('renews with a new key, and has the old one until then', async () => {
      const [harness, pod] = await started('issue');
      const first = harness.podCertificates.credentialBundle(pod, 'v', 0);
      harness.signer('wait');
      await harness.passLife();
      expect(harness.podCertificates.credentialBundle(pod, 'v', 0)).toEqual(first);
      harness.signer('issue');
      await harness.settle();
      const second = harness.podCertificates.credentialBundle(pod, 'v', 0);
      expect(second.privateKey).not.toBe(first.privateKey);
      const from = (bundle: CredentialBundle): number => Date.parse(leafOf(bundle).validFrom);
      expect(from(second)).toBeGreaterThan(from(first));
      await harness.podCertificates.stop();
    });

    it('forgets a pod, and takes it for a new one after that', async () => {
      const [harness, pod] = await started('issue');
      const uid = pod.metadata.uid ?? '';
      harness.podCertificates.forgetPod(uid);
      harness.podCertificates.forgetPod(uid);
      await harness.passLife();
      expect([refusal(harness, pod), await harness.requests()]).toEqual(['unavailable', 1]);
      harness.podCertificates.trackPod(pod);
      await harness.settle();
      expect([refusal(harness, pod), await harness.requests()]).toEqual(['none', 2]);
      await harness.podCertificates.stop();
    });
  });
}

function leafOf({ certificateChain }: CredentialBundle): X509Certificate {
  return new X509Certificate(certificateChain);
}
