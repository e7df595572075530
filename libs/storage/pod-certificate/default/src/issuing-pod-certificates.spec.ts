import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { podCertificateRequests, pods, serviceAccounts } from '@podwright/kube-client-interface';
import type { Pod, PodCertificateProjection } from '@podwright/kube-types';
import {
  describePodCertificatesContract,
  describeStandalonePodCertificatesContract,
} from '@podwright/pod-certificate-interface/contract';
import { CertificateHarness, createContractHarness } from './fixtures/certificate-harness.js';
import type { IssuingPodCertificates } from './issuing-pod-certificates.js';
import { createStandalonePodCertificates } from './standalone-pod-certificates.module.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const issue = { type: 'issue', lifetimeMs: 2 * hourMs } as const;

describePodCertificatesContract('IssuingPodCertificates', createContractHarness);
describeStandalonePodCertificatesContract('StandalonePodCertificates', async () => ({
  podCertificates: createStandalonePodCertificates(),
}));
describeStandalonePodCertificatesContract('IssuingPodCertificates without the gate', async () => ({
  podCertificates: (await CertificateHarness.create()).certificates({ enabled: false }),
}));

describe('IssuingPodCertificates', () => {
  let harness: CertificateHarness;
  let certificates: IssuingPodCertificates;

  beforeEach(async () => {
    harness = await CertificateHarness.create();
    certificates = harness.certificates();
    await certificates.start();
    await harness.clock.advance(0);
  });
  afterEach(async () => {
    await certificates.stop();
    await harness.cluster.stop();
    expect(harness.clock.pendingTimers).toBe(0);
  });

  async function track(projection: Partial<PodCertificateProjection> = {}): Promise<Pod> {
    const pod = await harness.createPod([projection]);
    certificates.trackPod(pod);
    await harness.clock.advance(100);
    return pod;
  }
  const bundle = (pod: Pod): { readonly privateKey: string; readonly certificateChain: string } =>
    certificates.credentialBundle(pod, 'v', 0);
  const refusal = (pod: Pod): string => {
    try {
      bundle(pod);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const deleteRequests = async (): Promise<void> => {
    for (const { metadata } of await harness.requests()) {
      const { namespace = '', name = '' } = metadata ?? {};
      await harness.admin.delete(podCertificateRequests, { namespace, name });
    }
    await harness.clock.advance(0);
  };

  it('requests what upstream requests', async () => {
    const userAnnotations = { 'example.com/tier': 'gold' };
    const pod = await track({ maxExpirationSeconds: 7_200, userAnnotations });
    const [request] = await harness.requests();
    const { uid } = pod.metadata;
    const account = await harness.admin.get(serviceAccounts, { namespace: 'prod', name: 'app' });
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
      nodeUID: harness.nodeUid,
      maxExpirationSeconds: 7_200,
      stubPKCS10Request: expect.any(String),
      unverifiedUserAnnotations: userAnnotations,
    });
    expect(refusal(pod)).toBe('credential bundle is not issued yet');
  });

  it.each([
    ['RSA3072', 'rsa', { modulusLength: 3072 }],
    ['RSA4096', 'rsa', { modulusLength: 4096 }],
    ['ECDSAP256', 'ec', { namedCurve: 'prime256v1' }],
    ['ECDSAP384', 'ec', { namedCurve: 'secp384r1' }],
    ['ECDSAP521', 'ec', { namedCurve: 'secp521r1' }],
    ['ED25519', 'ed25519', {}],
  ])(
    'makes keys of type %s',
    async (keyType, type, details) => {
      harness.answer = issue;
      const { privateKey, certificateChain } = bundle(await track({ keyType }));
      const key = createPrivateKey(privateKey);
      expect([key.asymmetricKeyType, key.asymmetricKeyDetails]).toEqual([type, expect.objectContaining(details)]);
      expect(new X509Certificate(certificateChain).checkPrivateKey(key)).toBe(true);
    },
    60_000,
  );

  it('says so when the type of key is unknown', async () => {
    certificates.trackPod(await odd(await harness.createPod()));
    await harness.clock.advance(0);
    expect(harness.failures()[0]).toBe(
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
    harness.answer = { type, reason: 'UnsupportedKeyType', message: 'use "RSA"' };
    const pod = await track();
    const [request] = await harness.requests();
    expect(harness.recorded).toEqual([
      `web-1 Warning ${reason}: PodCertificateRequest prod/${request?.metadata?.name} ${verb}, reason="UnsupportedKeyType", message="use \\"RSA\\""`,
    ]);
    expect(refusal(pod)).toBe(
      `PodCertificateRequest was ${words}: reason="UnsupportedKeyType" message="use \\"RSA\\""`,
    );
    await harness.clock.advance(30 * minuteMs);
    expect([harness.recorded.length, await harness.states()]).toEqual([
      1,
      [`signer_name="example.com/pods",state="${type === 'deny' ? 'denied' : 'failed'}"} 1`],
    ]);
  });

  it('renews after half of the life and at most five minutes and a check later, and once', async () => {
    harness.answer = issue;
    const pods = [await track(), await track(), await track()];
    const first = pods.map((pod) => bundle(pod).privateKey);
    await harness.clock.advance(hourMs - minuteMs);
    expect(pods.map((pod) => bundle(pod).privateKey)).toEqual(first);
    await harness.clock.advance(8 * minuteMs);
    const second = pods.map((pod) => bundle(pod).privateKey);
    expect(second.filter((key, index) => key !== first[index])).toHaveLength(3);
    expect(await harness.requests()).toHaveLength(6);
    const times = (await harness.requests()).map(({ metadata }) => String(metadata?.creationTimestamp));
    // The jitter: not all at one moment.
    expect(new Set(times.slice(-3)).size).toBeGreaterThan(1);
    expect(harness.recorded).toEqual([]);
  });

  it('reports once that a renewal is overdue, and that the certificate has expired', async () => {
    harness.answer = issue;
    const pod = await track();
    const { privateKey } = bundle(pod);
    expect(await harness.states()).toEqual(['signer_name="example.com/pods",state="fresh"} 1']);
    harness.answer = { type: 'wait' };
    await harness.clock.advance(hourMs + 18 * minuteMs);
    expect(harness.recorded).toEqual(['web-1 Warning CertificateOverdueForRefresh: PodCertificate refresh overdue']);
    expect(await harness.states()).toEqual(['signer_name="example.com/pods",state="overdue_for_refresh"} 1']);
    await harness.clock.advance(hourMs);
    expect(harness.recorded.slice(1)).toEqual(['web-1 Warning CertificateExpired: PodCertificate expired']);
    expect(await harness.states()).toEqual(['signer_name="example.com/pods",state="expired"} 1']);
    // The old one stays: an application may know better.
    expect(bundle(pod).privateKey).toBe(privateKey);
    await harness.answerAll(issue);
    expect(bundle(pod).privateKey).not.toBe(privateKey);
    expect(await harness.states()).toEqual(['signer_name="example.com/pods",state="fresh"} 1']);
    harness.answer = { type: 'wait' };
    await harness.clock.advance(hourMs + 18 * minuteMs);
    expect(harness.recorded.slice(2)).toEqual([
      'web-1 Warning CertificateOverdueForRefresh: PodCertificate refresh overdue',
    ]);
  });

  it('has nothing any more once a renewal is denied', async () => {
    harness.answer = issue;
    const pod = await track();
    harness.answer = { type: 'deny', reason: 'Gone', message: '' };
    await harness.clock.advance(hourMs + 8 * minuteMs);
    expect(refusal(pod)).toBe('PodCertificateRequest was permanently denied: reason="Gone" message=""');
  });

  it('requests again when its request is gone for ten minutes, wherever the wall clock jumps', async () => {
    await track();
    await deleteRequests();
    harness.clock.setWallClock(harness.clock.now() + 24 * hourMs);
    await harness.clock.advance(9 * minuteMs);
    expect(await harness.requests()).toEqual([]);
    await harness.clock.advance(9 * minuteMs);
    expect(await harness.requests()).toHaveLength(1);
    expect(harness.failures()).toEqual([
      expect.stringMatching(/^PodCertificateRequest "prod\/req-\w+" appears to have been deleted$/),
    ]);
  });

  it('keeps the certificate when the request for its successor is deleted', async () => {
    harness.answer = issue;
    const pod = await track();
    const { privateKey } = bundle(pod);
    harness.answer = { type: 'wait' };
    await harness.clock.advance(hourMs + 8 * minuteMs);
    await deleteRequests();
    harness.answer = issue;
    await harness.clock.advance(5 * minuteMs);
    expect(bundle(pod).privateKey).toBe(privateKey);
    await harness.clock.advance(15 * minuteMs);
    expect(bundle(pod).privateKey).not.toBe(privateKey);
  });

  it('renews at once when the wall clock jumps over the renewal, and not when it jumps back', async () => {
    harness.answer = issue;
    const pod = await track();
    const { privateKey } = bundle(pod);
    harness.clock.setWallClock(harness.clock.now() - 12 * hourMs);
    await harness.clock.advance(2 * hourMs);
    expect(bundle(pod).privateKey).toBe(privateKey);
    harness.clock.setWallClock(harness.clock.now() + 12 * hourMs);
    await harness.clock.advance(2 * minuteMs);
    expect(bundle(pod).privateKey).not.toBe(privateKey);
  });

  it('tries again with growing delays, and soon after what was missing is there', async () => {
    harness.answer = issue;
    const { nodeUid } = harness;
    harness.nodeUid = undefined;
    const pod = await track();
    await harness.clock.advance(10 * minuteMs);
    const tries = harness.failures().length;
    // 5 ms, 10 ms ... 82 s, and the checks each 1-2 min.
    expect(tries).toBeGreaterThan(12);
    expect(tries).toBeLessThan(30);
    expect(new Set(harness.failures())).toEqual(
      new Set(['while getting node object from local cache: node "n1" not found']),
    );
    harness.nodeUid = nodeUid;
    await harness.clock.advance(2 * minuteMs);
    expect(refusal(pod)).toBe('');
  });

  it('renews after an outage in which a renewal was due', async () => {
    harness.answer = issue;
    const pod = await track();
    const { privateKey } = bundle(pod);
    harness.cluster.server.stop();
    await harness.clock.advance(hourMs + 20 * minuteMs);
    expect(bundle(pod).privateKey).toBe(privateKey);
    expect(harness.recorded).toEqual(['web-1 Warning CertificateOverdueForRefresh: PodCertificate refresh overdue']);
    harness.cluster.server.start();
    await harness.clock.advance(3 * minuteMs);
    expect(bundle(pod).privateKey).not.toBe(privateKey);
    expect(await harness.requests()).toHaveLength(2);
  });

  it('does not hold up others when answers for one pod do not come', async () => {
    harness.answer = issue;
    await harness.admin.create(serviceAccounts, { metadata: { namespace: 'prod', name: 'slow' } });
    harness.cluster.server.faults.add({ type: 'hang' }, { resource: 'serviceaccounts', name: 'slow' });
    const slow = await harness.createPod([{}], 'slow');
    certificates.trackPod(slow);
    const pod = await track();
    expect([refusal(slow), refusal(pod)]).toEqual(['credential bundle is not issued yet', '']);
  });

  it('starts with nothing, and requests new certificates for pods that run', async () => {
    harness.answer = issue;
    const pod = await track();
    const { privateKey } = bundle(pod);
    await certificates.stop();
    certificates = harness.certificates();
    await certificates.start();
    certificates.trackPod(pod);
    expect(refusal(pod)).toBe('credential bundle is not issued yet');
    await harness.clock.advance(100);
    expect(bundle(pod).privateKey).not.toBe(privateKey);
    expect(await harness.requests()).toHaveLength(2);
  });

  it('has nothing for a static pod, which has no service account', async () => {
    const pod = await harness.createPod();
    const { serviceAccountName: _none, ...spec } = pod.spec;
    certificates.trackPod({ ...pod, spec });
    await harness.clock.advance(0);
    expect(harness.failures()).toEqual(['while fetching service account: resource name may not be empty']);
    expect([refusal(pod), await harness.requests()]).toEqual(['credential bundle is not issued yet', []]);
  });

  it('names the source of a pod that it does not track as upstream does', async () => {
    const pod = await harness.createPod();
    expect(refusal(pod)).toBe(`no credentials yet for key={prod web-1 ${pod.metadata.uid} v 0}`);
  });

  it('watches only the requests of its node, and calls nothing without the gate', async () => {
    const lists = harness.cluster.server.audit.entries.filter(({ resource }) => resource === 'podcertificaterequests');
    expect(new Set(lists.map(({ query }) => query.get('fieldSelector')))).toEqual(new Set(['spec.nodeName=n1']));
    const silent = harness.certificates({ enabled: false });
    await silent.start();
    const pod = await harness.admin.get(pods, {
      namespace: 'prod',
      name: (await harness.createPod()).metadata.name ?? '',
    });
    silent.trackPod(pod);
    await harness.clock.advance(hourMs);
    expect(() => silent.credentialBundle(pod, 'v', 0)).toThrow(/^unimplemented$/);
    expect(await harness.requests()).toEqual([]);
    await silent.stop();
  });
});
