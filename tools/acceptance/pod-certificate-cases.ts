import { createPublicKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { podCertificateRequests } from '@podwright/kube-client-interface';
import type { Pod, PodCertificateProjection, PodCertificateRequest } from '@podwright/kube-types';
import { PodCertificateSigner, type PodSigner, type PodSignerAnswer } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import type { ClusterNode } from './cluster-node.js';
import { main, podManifest } from './pod-manifests.js';

const namespace = 'default';
const folder = '/etc/tls';
const user = 1_000;

/** For a kubelet that renews at once when it is time. */
export const certificateNode = {
  configuration: { featureGates: { PodCertificateRequest: true } },
  assembly: [{ name: '@podwright/pod-certificate#api', config: { checkPeriodMs: 500, maxJitterMs: 0 } }],
};

/** A signer for the API server in memory, whose certificates are renewed after seconds. A real server allows none such. */
export const shortSigners: Readonly<Record<string, PodSigner>> = {
  'example.com/short': () => ({ type: 'issue', lifetimeMs: 3_600_000, refreshAfterMs: 3_000 }),
};

/** A pod whose container runs as one user and has the files of one certificate. */
function createPod(on: ClusterNode, name: string, projection: Partial<PodCertificateProjection> = {}): Promise<Pod> {
  const podCertificate = {
    ...{ signerName: 'example.com/tests', keyType: 'ED25519', credentialBundlePath: 'bundle.pem' },
    ...projection,
  };
  const volumeMounts = [{ name: 'tls', mountPath: folder }];
  return on.create(
    podManifest(name, {
      containers: [main({ volumeMounts, securityContext: { runAsUser: user } })],
      volumes: [{ name: 'tls', projected: { sources: [{ podCertificate }] } }],
    }),
  );
}

const read = (on: ClusterNode, name: string, file: string): Promise<string> =>
  on.exec(name, 'cat', `${folder}/${file}`);

/** True when the first certificate of the text is for the key in it. */
const belongTogether = (text: string): boolean => createPublicKey(text).equals(new X509Certificate(text).publicKey);

/** Cases for every cluster: the same for the API server in memory and for a real one. */
export function describePodCertificateCases(on: () => ClusterNode): void {
  const signer = new PodCertificateSigner(createSystemClock(), createSystemRandom());

  /** Waits for the request of the pod and answers it, as a signer does. */
  async function answer(podName: string, with_: PodSignerAnswer): Promise<PodCertificateRequest> {
    const { admin, kubelet } = on();
    const request = await kubelet.waitFor(`there is a request for ${podName}`, async () =>
      (await admin.list(podCertificateRequests, { namespace })).items.find(({ spec }) => spec.podName === podName),
    );
    const name = request.metadata?.name ?? '';
    const body = { status: signer.statusFor(request, with_) };
    await admin.patch(podCertificateRequests, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
    return request;
  }

  describe('the certificate of a pod', () => {
    it.each(['ED25519', 'ECDSAP384', 'RSA3072'])(
      'is awaited, and is there before the container: %s',
      async (keyType) => {
        const name = `certified-${keyType.toLowerCase()}`;
        const { metadata } = await createPod(on(), name, {
          keyType,
          keyPath: 'tls/key.pem',
          certificateChainPath: 'tls/chain.pem',
        });
        const waits = /^MountVolume\.SetUp failed for volume "tls" : credential bundle is not issued yet$/;
        await on().untilEvent(name, 'FailedMount', waits);
        const { spec } = await answer(name, { type: 'issue' });
        expect(spec).toMatchObject({ podUID: metadata.uid, nodeName: 'member', serviceAccountName: 'default' });
        await on().untilReady(name);
        const bundle = await read(on(), name, 'bundle.pem');
        expect(bundle).toBe((await read(on(), name, 'tls/key.pem')) + (await read(on(), name, 'tls/chain.pem')));
        expect(belongTogether(bundle)).toBe(true);
        expect(new X509Certificate(bundle).verify(new X509Certificate(signer.certificate).publicKey)).toBe(true);
        expect(await on().exec(name, 'stat', '-Lc', '%a %u', `${folder}/bundle.pem`)).toBe(`600 ${user}\n`);
      },
    );

    it('that is denied keeps the pod from starting, and the pod says why', async () => {
      await createPod(on(), 'denied');
      const { metadata } = await answer('denied', { type: 'deny', reason: 'UnsupportedKeyType', message: 'use RSA' });
      const why = 'reason="UnsupportedKeyType"';
      await on().untilEvent(
        'denied',
        'Denied',
        new RegExp(`^PodCertificateRequest default/${metadata?.name} was denied, ${why}`),
      );
      await on().untilEvent(
        'denied',
        'FailedMount',
        new RegExp(`PodCertificateRequest was permanently denied: ${why}`),
      );
      expect((await on().pod('denied'))?.status?.phase).toBe('Pending');
      await on().delete('denied', 0);
    });
  });
}

/** What only a signer of short certificates shows. */
export function describeRenewalCases(on: () => ClusterNode): void {
  it('a running container sees each new certificate with its key, also of a kubelet that was killed', async () => {
    await createPod(on(), 'renewed', { signerName: 'example.com/short', keyType: 'ECDSAP256' });
    const before = await on().untilReady('renewed');
    const seen = new Set<string>();
    const see = async (): Promise<number> => {
      const bundle = await read(on(), 'renewed', 'bundle.pem');
      expect(belongTogether(bundle)).toBe(true);
      return seen.add(bundle).size;
    };
    await on().kubelet.waitFor('the third certificate is there', async () => (await see()) >= 3);
    await on().kubelet.end('SIGKILL');
    const count = await see();
    await on().kubelet.start();
    await on().kubelet.waitFor('the next one is there', async () => (await see()) > count);
    const { status } = await on().untilReady('renewed');
    expect(status?.containerStatuses?.[0]?.containerID).toBe(before.status?.containerStatuses?.[0]?.containerID);
    await on().delete('renewed');
    await on().untilGone('renewed');
  });
}
