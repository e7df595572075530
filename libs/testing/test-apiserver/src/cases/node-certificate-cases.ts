import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PodCertificateRequest } from '@podwright/kube-types';
import { createSeededRandom, createSystemClock, type Clock } from '@podwright/time';
import { createCertificateRequest, pemBlock } from '@podwright/x509';
import { PodCertificateSigner, type PodSignerAnswer } from '../identity/pod-certificate-signer.js';
import { ApiCaller, type Answer } from './api-caller.js';
import { kubeletOf, uniqueName, type CaseServer } from './case-server.js';

const group = '/apis/certificates.k8s.io/v1beta1';
const kinds = {
  RSA3072: () => generateKeyPairSync('rsa', { modulusLength: 3072 }),
  RSA2048: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  P256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  P384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  P521: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ED25519: () => generateKeyPairSync('ed25519'),
} as const;

/** A PKCS#10 request in base64; `forged` breaks its signature. */
function stub(kind: keyof typeof kinds, forged = false): string {
  const privateKey = kinds[kind]().privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { der } = pemBlock(createCertificateRequest({ subject: {}, privateKey }), 'CERTIFICATE REQUEST');
  if (forged) der[der.length - 1] = (der[der.length - 1] ?? 0) ^ 1;
  return der.toString('base64');
}

/** Tests requests for certificates of pods, with the real server's messages. */
export function describeNodeCertificateCases(
  create: () => Promise<CaseServer>,
  clock: Clock = createSystemClock(),
): void {
  describe('a kubelet, about certificates of pods,', () => {
    let server: CaseServer;
    let admin: ApiCaller;
    let kubelet: ApiCaller;
    let wanted: PodCertificateRequest['spec'];
    let signer: PodCertificateSigner;
    const [node, other, namespace] = [uniqueName('own'), uniqueName('other'), uniqueName('certificates')];
    const inNamespace = (path: string): string => `/api/v1/namespaces/${namespace}/${path}`;
    const requests = `${group}/namespaces/${namespace}/podcertificaterequests`;
    const uidOf = (answer: Answer): string => answer.body.metadata?.uid ?? '';
    const request = (change: Partial<PodCertificateRequest['spec']> = {}): object => ({
      metadata: { generateName: 'req-' },
      spec: { ...wanted, stubPKCS10Request: stub('P256'), ...change },
    });

    beforeAll(async () => {
      server = await create();
      signer = new PodCertificateSigner(clock, createSeededRandom('signer'));
      admin = new ApiCaller(server.transport());
      kubelet = new ApiCaller(server.transport(kubeletOf(node)));
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      const account = await admin.post(inNamespace('serviceaccounts'), { metadata: { name: 'web' } });
      await admin.post('/api/v1/nodes', { metadata: { name: other } });
      const own = await admin.post('/api/v1/nodes', { metadata: { name: node } });
      const pod = (name: string, nodeName: string): Promise<Answer> =>
        admin.post(inNamespace('pods'), {
          metadata: { name },
          spec: { nodeName, serviceAccountName: 'web', containers: [{ name: 'c', image: 'i' }] },
        });
      await pod('theirs', other);
      wanted = {
        signerName: 'example.com/pods',
        podName: 'mine',
        podUID: uidOf(await pod('mine', node)),
        serviceAccountName: 'web',
        serviceAccountUID: uidOf(account),
        nodeName: node,
        nodeUID: uidOf(own),
      };
    });
    afterAll(async () => {
      await admin.delete(`${inNamespace('pods')}?gracePeriodSeconds=0`);
      for (const name of [node, other]) await admin.delete(`/api/v1/nodes/${name}`);
      await admin.delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    it.each(['RSA3072', 'P256', 'P384', 'P521', 'ED25519'] as const)('requests one with a key %s', async (kind) => {
      const { status, body } = await kubelet.post(requests, request({ stubPKCS10Request: stub(kind) }));
      expect({ status, spec: body.spec }).toMatchObject({ status: 201, spec: { maxExpirationSeconds: 86_400 } });
      expect((await kubelet.get(`${requests}/${body.metadata?.name ?? ''}`)).status).toBe(200);
    });

    it('reads those of its node alone', async () => {
      const all = `${group}/podcertificaterequests`;
      expect((await kubelet.get(`${all}?fieldSelector=spec.nodeName%3D${node}`)).status).toBe(200);
      expect((await kubelet.get(all)).body.message).toBe(
        `podcertificaterequests.certificates.k8s.io is forbidden: User "system:node:${node}" cannot list resource "podcertificaterequests" in API group "certificates.k8s.io" at the cluster scope: can only list/watch podcertificaterequests with nodeName field selector`,
      );
    });

    type Change = () => Partial<PodCertificateRequest['spec']>;
    it.each<[string, number, Change, () => string]>([
      [
        'another node',
        403,
        () => ({ nodeName: other }),
        () => `PodCertificateRequest.Spec.NodeName="${other}", which is not the requesting node "${node}"`,
      ],
      [
        'an earlier node',
        500,
        () => ({ nodeUID: 'x' }),
        () =>
          `PodCertificateRequest for pod "${namespace}/mine" names node UID "x", inconsistent with the running node ("${wanted.nodeUID}")`,
      ],
      [
        'an earlier pod',
        500,
        () => ({ podUID: 'x' }),
        () =>
          `PodCertificateRequest for pod "${namespace}/mine" contains pod UID ("x") which differs from running pod "${wanted.podUID}"`,
      ],
      [
        'a pod that is not there',
        500,
        () => ({ podName: 'gone' }),
        () => `while retrieving pod "${namespace}/gone" named in the PodCertificateRequest: pod "gone" not found`,
      ],
      [
        'another service account',
        403,
        () => ({ serviceAccountName: 'x' }),
        () =>
          `PodCertificateRequest for pod "${namespace}/mine" contains serviceAccountName ("x") that differs from running pod ("web")`,
      ],
      [
        'a short life',
        422,
        () => ({ maxExpirationSeconds: 60 }),
        () => 'spec.maxExpirationSeconds: Invalid value: 60: must be in the range [3600, 7862400]',
      ],
      [
        'a long life from a signer of Kubernetes',
        422,
        () => ({ signerName: 'kubernetes.io/x', maxExpirationSeconds: 86_401 }),
        () => 'spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]',
      ],
      [
        'a signer without a domain',
        422,
        () => ({ signerName: 'x' }),
        () =>
          `spec.signerName: Invalid value: "x": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
      ],
      [
        'a short key',
        422,
        () => ({ stubPKCS10Request: stub('RSA2048') }),
        () => 'spec.stubPKCS10Request: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
      ],
      [
        'a key of somebody else',
        422,
        () => ({ stubPKCS10Request: stub('P256', true) }),
        () => 'spec.stubPKCS10Request: Invalid value: invalid signature',
      ],
      [
        'no key',
        422,
        () => ({ stubPKCS10Request: '' }),
        () =>
          'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set',
      ],
    ])('is refused one for %s', async (_what, status, change, message) => {
      const answer = await kubelet.post(requests, request(change()));
      expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message()) } });
    });

    it('cannot change what it requested, nor answer it', async () => {
      const { body } = await kubelet.post(requests, request());
      const place = `${requests}/${body.metadata?.name ?? ''}`;
      expect((await kubelet.put(`${place}/status`, body)).status).toBe(403);
      expect((await kubelet.delete(place)).status).toBe(403);
      const changed = { ...body, spec: { ...(body.spec as object), signerName: 'example.com/other' } };
      expect(await admin.put(place, changed)).toMatchObject({
        status: 422,
        body: { message: expect.stringMatching(/spec: Invalid value: .*: field is immutable$/) },
      });
    });

    const answered = async (answer: PodSignerAnswer, change: object = {}, key = 'P256' as const): Promise<Answer> => {
      const { body } = await kubelet.post(requests, request({ stubPKCS10Request: stub(key) }));
      const status = { ...signer.statusFor(body as unknown as PodCertificateRequest, answer), ...change };
      return admin.put(`${requests}/${body.metadata?.name ?? ''}/status`, { ...body, status });
    };

    it('gets a certificate for its key, once', async () => {
      const { status, body } = await answered({ type: 'issue' });
      expect(status).toBe(200);
      const issued = body as unknown as PodCertificateRequest;
      const key = createPublicKey(issued.status?.certificateChain ?? '');
      expect(key.asymmetricKeyType).toBe('ec');
      const again = signer.statusFor(issued, { type: 'deny', reason: 'Late', message: 'late' });
      expect(
        await admin.put(`${requests}/${body.metadata?.name ?? ''}/status`, { ...body, status: again }),
      ).toMatchObject({
        status: 422,
        body: {
          message: expect.stringContaining('immutable after PodCertificateRequest is issued, denied, or failed'),
        },
      });
    });

    it.each<[PodSignerAnswer, object, string]>([
      [{ type: 'issue', lifetimeMs: 60_000 }, {}, 'leaf certificate lifetime must be >= 1 hour'],
      [
        { type: 'issue', lifetimeMs: 90_000_000 },
        {},
        'leaf certificate lifetime must be <= spec.maxExpirationSeconds (86400)',
      ],
      [{ type: 'issue', refreshAfterMs: 60_000 }, {}, 'must be at least 10 minutes after status.notBefore'],
      [{ type: 'issue', refreshAfterMs: 86_000_000 }, {}, 'must be at least 10 minutes before status.notAfter'],
      [{ type: 'issue' }, { certificateChain: '' }, 'issued certificate chain must contain at least one certificate'],
      [{ type: 'issue' }, { beginRefreshAt: undefined }, 'status.beginRefreshAt: Required value'],
      [
        { type: 'deny', reason: 'No', message: 'no' },
        { certificateChain: 'x' },
        'non-condition status fields must be empty when denying or failing the PodCertificateRequest',
      ],
      [
        { type: 'wait' },
        { certificateChain: 'x' },
        'status is immutable unless transitioning to "Issued", "Denied", or "Failed"',
      ],
      [
        { type: 'wait' },
        { conditions: [{ type: 'Odd', status: 'True', reason: 'x', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
        'status.conditions.[0].type: Unsupported value: "Odd": supported values: ',
      ],
    ])('gets no certificate with %j %j', async (answer, change, message) => {
      expect(await answered(answer, change)).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining(message) },
      });
    });

    it.each(['deny', 'fail'] as const)('gets the answer %s', async (type) => {
      expect((await answered({ type, reason: 'No', message: 'no' })).status).toBe(200);
    });
  });
}
