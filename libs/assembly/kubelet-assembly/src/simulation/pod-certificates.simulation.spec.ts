import { createPublicKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { podCertificateRequests } from '@podwright/kube-client-interface';
import type { PodCertificateRequest } from '@podwright/kube-types';
import type { PodSignerAnswer } from '@podwright/test-apiserver';
import { watchKeysFromNow, settleWithKeys, VirtualClock } from '@podwright/time';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

const minuteMs = 60_000;
/** Shorter than a real server allows. */
const lifetimeMs = 45 * minuteMs;
const refreshAfterMs = 10 * minuteMs;
const namespace = 'default';
const issue = { type: 'issue', lifetimeMs, refreshAfterMs } as const;

describe('pods with certificates', () => {
  let sim: SimulatedCluster;
  let answer: PodSignerAnswer;

  beforeEach(async () => {
    answer = issue;
    sim = await SimulatedCluster.create({
      cluster: {
        clock: new VirtualClock({ settle: settleWithKeys }),
        podSigners: { 'example.com/pods': () => answer },
      },
      configuration: { featureGates: { PodCertificateRequest: true } },
    });
    watchKeysFromNow();
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
  });
  afterEach(() => sim.dispose());

  const bind = (name = 'web'): ReturnType<SimulatedCluster['bind']> => {
    const podCertificate = { signerName: 'example.com/pods', keyType: 'ECDSAP256', credentialBundlePath: 'bundle.pem' };
    return sim.bind(name, {
      volumes: [{ name: 'tls', projected: { sources: [{ podCertificate }] } }],
      containers: [
        {
          name: 'main',
          image: 'registry.test/main:1',
          imagePullPolicy: 'IfNotPresent',
          volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
        },
      ],
    });
  };
  /** What the container sees. */
  const bundle = async (): Promise<string> => {
    const mounts = sim.node.runtime.control
      .containers()
      .flatMap(({ running, config }) => (running ? (config.mounts ?? []) : []));
    const folder = mounts.find(({ containerPath }) => containerPath === '/tls')?.hostPath ?? '';
    return readFile(path.join(folder, 'bundle.pem'), 'utf8');
  };
  const requests = async (): Promise<readonly PodCertificateRequest[]> =>
    (await sim.finish(sim.admin.list(podCertificateRequests, { namespace }))).items;
  const warned = (text: string): boolean => sim.node.events().some(({ message }) => message.includes(text));
  const untilOther = (before: string, limitMs: number): Promise<number> =>
    sim.until('the bundle is another', async () => (await bundle()) !== before, limitMs);
  const starts = (): number => sim.node.runtime.control.containers().length;

  it('wait for their certificate, and start with it', async () => {
    answer = { type: 'wait' };
    await bind();
    const why = 'MountVolume.SetUp failed for volume "tls" : credential bundle is not issued yet';
    await sim.until('the pod waits', async () => warned(why));
    expect([starts(), (await sim.pod('web'))?.status?.phase]).toEqual([0, 'Pending']);
    answer = issue;
    const [{ metadata } = {}] = await requests();
    const patch = { type: 'merge', body: { metadata: { labels: { signer: 'looks' } } } } as const;
    await sim.finish(sim.admin.patch(podCertificateRequests, { namespace, name: metadata?.name ?? '' }, patch));
    await sim.untilReady('web');
    const text = await bundle();
    expect(text).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\n/);
    expect(createPublicKey(text).equals(new X509Certificate(text).publicKey)).toBe(true);
  });

  it.each([
    ['deny', 'Denied', 'was denied', 'permanently denied'],
    ['fail', 'Failed', 'failed', 'permanently failed'],
  ] as const)('do not start when the signer says: %s', async (type, reason, verb, words) => {
    answer = { type, reason: 'Unwanted', message: 'not you' };
    await bind();
    const why = 'reason="Unwanted" message="not you"';
    await sim.until('the pod says why', async () =>
      warned(`MountVolume.SetUp failed for volume "tls" : PodCertificateRequest was ${words}: ${why}`),
    );
    const [{ metadata } = {}] = await requests();
    expect(sim.node.events().filter((event) => event.reason === reason)).toMatchObject([
      { message: `PodCertificateRequest default/${metadata?.name} ${verb}, reason="Unwanted", message="not you"` },
    ]);
    await sim.node.clock.advance(5 * minuteMs);
    expect([starts(), (await requests()).length]).toEqual([0, 1]);
  });

  it('get a new certificate while they run, before the old one ends', async () => {
    await bind();
    await sim.untilReady('web');
    const first = await bundle();
    await sim.node.clock.advance(refreshAfterMs - minuteMs);
    expect(await bundle()).toBe(first);
    // The jitter, a check of the certificates, and a sync of the pod.
    await untilOther(first, 10 * minuteMs);
    expect(createPublicKey(await bundle()).equals(createPublicKey(first))).toBe(false);
    expect([starts(), isReady(await sim.pod('web'))]).toEqual([1, true]);
  });

  it('say that a renewal is overdue and that it is too late, and keep the files', async () => {
    await bind();
    await sim.untilReady('web');
    const first = await bundle();
    answer = { type: 'wait' };
    await sim.node.clock.advance(refreshAfterMs + 18 * minuteMs);
    expect(sim.node.reasons()).toContain('CertificateOverdueForRefresh');
    expect(sim.node.reasons()).not.toContain('CertificateExpired');
    await sim.node.clock.advance(20 * minuteMs);
    expect(sim.node.reasons()).toContain('CertificateExpired');
    expect([await bundle(), isReady(await sim.pod('web'))]).toEqual([first, true]);
  });

  it('get their new certificate after an outage of the API server', async () => {
    await bind();
    await sim.untilReady('web');
    const first = await bundle();
    sim.cluster.server.stop();
    await sim.node.clock.advance(refreshAfterMs + 10 * minuteMs);
    expect(await bundle()).toBe(first);
    sim.cluster.server.start();
    await untilOther(first, 5 * minuteMs);
    expect([starts(), (await requests()).length]).toEqual([1, 2]);
  });

  it('run on over a kill of the kubelet, which requests a new certificate', async () => {
    await bind();
    await sim.untilReady('web');
    const first = await bundle();
    await sim.node.kill();
    await sim.node.boot();
    await untilOther(first, 5 * minuteMs);
    expect([starts(), (await requests()).length, isReady(await sim.pod('web'))]).toEqual([1, 2, true]);
  });

  it('leave no request behind', async () => {
    await bind();
    await sim.untilReady('web');
    await sim.delete('web', 1);
    await sim.untilGone('web');
    await sim.node.clock.advance(2 * refreshAfterMs);
    expect(await requests()).toEqual([]);
  });
});
