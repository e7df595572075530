import { describe, expect, it } from '@jest/globals';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { pods, serviceAccounts } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import {
  describePodCertificatesContract,
  describeStandalonePodCertificatesContract,
} from '@podwright/pod-certificate-interface/contract';
import { CertificateHarness, createContractHarness } from './fixtures/certificate-harness.js';
import { hourMs, issue, minuteMs, useIssuedCertificates } from './fixtures/issued-certificates.js';
import { createStandalonePodCertificates } from './standalone-pod-certificates.module.js';

describePodCertificatesContract('IssuingPodCertificates', createContractHarness);
describeStandalonePodCertificatesContract('StandalonePodCertificates', async () => ({
  podCertificates: createStandalonePodCertificates(),
}));
describeStandalonePodCertificatesContract('IssuingPodCertificates without the gate', async () => ({
  podCertificates: (await CertificateHarness.create()).certificates({ enabled: false }),
}));

describe('IssuingPodCertificates', () => {
  const on = useIssuedCertificates();

  it('requests what upstream requests', async () => {
    const userAnnotations = { 'example.com/tier': 'gold' };
    const pod = await on.track({ maxExpirationSeconds: 7_200, userAnnotations });
    const [request] = await on.harness.requests();
    const { uid } = pod.metadata;
    const account = await on.harness.admin.get(serviceAccounts, { namespace: 'prod', name: 'app' });
    expect(request?.metadata).toMatchObject({
      name: expect.stringMatching(/^req-/),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web-1', uid }],
    });
    expect(request?.spec).toEqual({
      signerName: 'example.com/pods',
      podName: 'web-1',
      podUID: uid,
      serviceAccountName: 'app',
      serviceAccountUID: account.metadata?.uid,
      nodeName: 'n1',
      nodeUID: on.harness.nodeUid,
      maxExpirationSeconds: 7_200,
      stubPKCS10Request: expect.any(String),
      unverifiedUserAnnotations: userAnnotations,
    });
    expect(on.refusal(pod)).toBe('credential bundle is not issued yet');
  });

  it.each([
    ['RSA3072', 'rsa', { modulusLength: 3072 }],
    ['RSA4096', 'rsa', { modulusLength: 4096 }],
    ['ECDSAP256', 'ec', { namedCurve: 'prime256v1' }],
    ['ECDSAP384', 'ec', { namedCurve: 'secp384r1' }],
    ['ECDSAP521', 'ec', { namedCurve: 'secp521r1' }],
    ['ED25519', 'ed25519', {}],
  ])('makes keys of type %s', async (keyType, type, details) => {
    on.harness.answer = issue;
    const { privateKey, certificateChain } = on.bundle(await on.track({ keyType }));
    const key = createPrivateKey(privateKey);
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails]).toEqual([type, expect.objectContaining(details)]);
    expect(new X509Certificate(certificateChain).checkPrivateKey(key)).toBe(true);
  });

  it('says so when the type of key is unknown', async () => {
    on.certificates.trackPod(await odd(await on.harness.createPod()));
    await on.harness.clock.advance(0);
    expect(on.harness.failures()[0]).toBe(
      'while creating initial PodCertificateRequest: while generating keypair: unknown key type "DSA"',
    );
    async function odd(pod: Pod): Promise<Pod> {
      return JSON.parse(JSON.stringify(pod).replaceAll('ED25519', 'DSA')) as Pod;
    }
  });

  it.each([
    ['deny', 'Denied', 'was denied', 'permanently denied'],
    ['fail', 'Failed', 'failed', 'permanently failed'],
  ] as const)('records an event when the signer says: %s', async (type, reason, verb, words) => {
    on.harness.answer = { type, reason: 'UnsupportedKeyType', message: 'use "RSA"' };
    const pod = await on.track();
    const [request] = await on.harness.requests();
    expect(on.harness.recorded).toEqual([
      `web-1 Warning ${reason}: PodCertificateRequest prod/${request?.metadata?.name} ${verb}, reason="UnsupportedKeyType", message="use \\"RSA\\""`,
    ]);
    expect(on.refusal(pod)).toBe(
      `PodCertificateRequest was ${words}: reason="UnsupportedKeyType" message="use \\"RSA\\""`,
    );
    await on.harness.clock.advance(30 * minuteMs);
    expect([on.harness.recorded.length, await on.harness.states()]).toEqual([
      1,
      [`signer_name="example.com/pods",state="${type === 'deny' ? 'denied' : 'failed'}"} 1`],
    ]);
  });

  it('requests again when its request is gone for ten minutes, wherever the wall clock jumps', async () => {
    await on.track();
    await on.deleteRequests();
    on.harness.clock.setWallClock(on.harness.clock.now() + 24 * hourMs);
    await on.harness.clock.advance(9 * minuteMs);
    expect(await on.harness.requests()).toEqual([]);
    await on.harness.clock.advance(9 * minuteMs);
    expect(await on.harness.requests()).toHaveLength(1);
    expect(on.harness.failures()).toEqual([
      expect.stringMatching(/^PodCertificateRequest "prod\/req-\w+" appears to have been deleted$/),
    ]);
  });

  it('tries again with growing delays, and soon after what was missing is there', async () => {
    on.harness.answer = issue;
    const { nodeUid } = on.harness;
    on.harness.nodeUid = undefined;
    const pod = await on.track();
    await on.harness.clock.advance(10 * minuteMs);
    const tries = on.harness.failures().length;
    // 5 ms, 10 ms ... 82 s, and the checks each 1-2 min.
    expect(tries).toBeGreaterThan(12);
    expect(tries).toBeLessThan(30);
    expect(new Set(on.harness.failures())).toEqual(
      new Set(['while getting node object from local cache: node "n1" not found']),
    );
    on.harness.nodeUid = nodeUid;
    await on.harness.clock.advance(2 * minuteMs);
    expect(on.refusal(pod)).toBe('');
  });

  it('does not hold up others when answers for one pod do not come', async () => {
    on.harness.answer = issue;
    await on.harness.admin.create(serviceAccounts, { metadata: { namespace: 'prod', name: 'slow' } });
    on.harness.cluster.server.faults.add({ type: 'hang' }, { resource: 'serviceaccounts', name: 'slow' });
    const slow = await on.harness.createPod([{}], 'slow');
    on.certificates.trackPod(slow);
    const pod = await on.track();
    expect([on.refusal(slow), on.refusal(pod)]).toEqual(['credential bundle is not issued yet', '']);
  });

  it('starts with nothing, and requests new certificates for pods that run', async () => {
    on.harness.answer = issue;
    const pod = await on.track();
    const { privateKey } = on.bundle(pod);
    await on.certificates.stop();
    on.certificates = on.harness.certificates();
    await on.certificates.start();
    on.certificates.trackPod(pod);
    expect(on.refusal(pod)).toBe('credential bundle is not issued yet');
    await on.harness.clock.advance(100);
    expect(on.bundle(pod).privateKey).not.toBe(privateKey);
    expect(await on.harness.requests()).toHaveLength(2);
  });

  it('has nothing for a static pod, which has no service account', async () => {
    const pod = await on.harness.createPod();
    const { serviceAccountName: _none, ...spec } = pod.spec;
    on.certificates.trackPod({ ...pod, spec });
    await on.harness.clock.advance(0);
    expect(on.harness.failures()).toEqual(['while fetching service account: resource name may not be empty']);
    expect([on.refusal(pod), await on.harness.requests()]).toEqual(['credential bundle is not issued yet', []]);
  });

  it('names the source of a pod that it does not track as upstream does', async () => {
    const pod = await on.harness.createPod();
    expect(on.refusal(pod)).toBe(`no credentials yet for key={prod web-1 ${pod.metadata.uid} v 0}`);
  });

  it('watches only the requests of its node, and calls nothing without the gate', async () => {
    const lists = on.harness.cluster.server.audit.entries.filter(
      ({ resource }) => resource === 'podcertificaterequests',
    );
    expect(new Set(lists.map(({ query }) => query.get('fieldSelector')))).toEqual(new Set(['spec.nodeName=n1']));
    const silent = on.harness.certificates({ enabled: false });
    await silent.start();
    const pod = await on.harness.admin.get(pods, {
      namespace: 'prod',
      name: (await on.harness.createPod()).metadata.name ?? '',
    });
    silent.trackPod(pod);
    await on.harness.clock.advance(hourMs);
    expect(() => silent.credentialBundle(pod, 'v', 0)).toThrow(/^unimplemented$/);
    expect(await on.harness.requests()).toEqual([]);
    await silent.stop();
  });
});
