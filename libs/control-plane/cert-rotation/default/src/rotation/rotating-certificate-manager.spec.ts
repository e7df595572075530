import { afterAll, describe, expect, it } from '@jest/globals';
import { describeCertificateManagerContract } from '@podwright/cert-rotation-interface/contract';
import { certificateSigningRequests } from '@podwright/kube-client-interface';
import type { KubeClient } from '@podwright/kube-client-interface';
import { TestCluster } from '@podwright/test-cluster';
import { readCertificate } from '@podwright/x509';
import { createContractHarness, createRotation, lifetimeMs, type Rotation } from '../fixtures/rotation.js';
import { createRotationHarness, removeFolders, type RotationHarness } from '../fixtures/rotation-harness.js';
import { nodeTemplate } from '../request/certificate-template.js';

const rotation = async (given?: RotationHarness): Promise<Rotation> => createRotation(given ?? (await newHarness()));

async function started(made?: Rotation): Promise<Rotation> {
  const harness = made ?? (await rotation());
  await harness.manager.start();
  await harness.clock.advance(0);
  await harness.signer.approveNewest(lifetimeMs);
  await harness.clock.runUntil(() => harness.manager.current() !== undefined, 5_000);
  return harness;
}

const newHarness = (): Promise<RotationHarness> =>
  createRotationHarness((clock) => new TestCluster({ clock, sign: false }));

afterAll(removeFolders);

describeCertificateManagerContract('RotatingCertificateManager', async () => createContractHarness(await newHarness()));

describe('RotatingCertificateManager', () => {
  it('asks as upstream does, and says what it waits for', async () => {
    const { manager, clock, signer, logger } = await rotation();
    await manager.start();
    expect(manager.current()).toBeUndefined();
    await clock.advance(0);
    const request = await signer.newest();
    const { name = '' } = request.metadata ?? {};
    expect(name).toMatch(/^csr-/);
    expect(request.spec).toMatchObject({
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    });
    expect(request.spec.expirationSeconds).toBeUndefined();
    expect(signer.content(request).subject).toEqual({ commonName: 'system:node:n1', organizations: ['system:nodes'] });
    const help = `kubectl certificate approve ${name}`;
    expect(manager.waitingFor()).toBe(`the request ${name} for the client certificate waits for approval: ${help}`);
    expect(logger.messages('warning')).toEqual([]);
    await clock.advance(60_000);
    expect(logger.entries.find(({ severity }) => severity === 'warning')).toMatchObject({
      message: 'A certificate signing request waits for approval',
      fields: { csr: name, help },
    });
    await signer.decide(name, 'Approved');
    await clock.advance(1_000);
    expect(manager.waitingFor()).toContain('is approved, the signer has not issued the certificate yet');
    const issued = await signer.issue(name);
    await clock.advance(1_000);
    expect(manager.current()?.certificate).toBe(issued);
    expect(manager.waitingFor()).toBeUndefined();
    expect(manager.serverHealthy()).toBe(true);
    await manager.stop();
  });

  it.each([1, 2, 3, 4])('asks for the next one after 70 to 90 %% of the lifetime (chance %d)', async (seed) => {
    const made = await rotation();
    for (let skipped = 0; skipped < seed; skipped += 1) made.cluster.random.next();
    const { manager, clock, signer, counted } = await started(made);
    const first = manager.current();
    const before = (await signer.requests()).length;
    await clock.advance(0.7 * lifetimeMs - 10_000);
    expect(await signer.requests()).toHaveLength(before);
    await clock.advance(0.2 * lifetimeMs + 10_000);
    expect(await signer.requests()).not.toHaveLength(before);
    await signer.approveNewest();
    await clock.advance(5_000);
    expect(manager.current()?.certificate).not.toBe(first?.certificate);
    expect(counted.livedMs).toHaveLength(1);
    expect(counted.livedMs[0]).toBeGreaterThanOrEqual(0.7 * lifetimeMs);
    await manager.stop();
  });

  it('makes a new key for each request', async () => {
    const { manager, clock, signer } = await rotation();
    await manager.start();
    await clock.advance(0);
    await signer.decide((await signer.newest()).metadata?.name ?? '', 'Denied', 'not this one');
    await clock.advance(10_000);
    const [first, second] = (await signer.requests()).map((request) => signer.content(request).publicKey);
    expect(second).toBeDefined();
    expect(first?.equals(second as NonNullable<typeof second>)).toBe(false);
    await manager.stop();
  });

  it('says plainly that a request was denied, and asks again', async () => {
    const { manager, clock, signer, logger, counted } = await rotation();
    await manager.start();
    await clock.advance(0);
    const { name = '' } = (await signer.newest()).metadata ?? {};
    await signer.decide(name, 'Denied', 'unknown machine');
    await clock.advance(1_000);
    expect(manager.waitingFor()).toBe(
      'the last request for the client certificate failed and is made again: certificate signing request is denied, reason: Test, message: unknown machine',
    );
    const line = logger.entries.find(({ message }) => message === 'Certificate request was not signed');
    expect(line).toMatchObject({ severity: 'error', fields: { csr: name } });
    expect(line?.fields['help']).toContain(`kubectl describe csr ${name}`);
    expect(counted.failures).toBe(1);
    await clock.advance(1_300);
    expect(await signer.requests()).toHaveLength(2);
    await manager.stop();
  });

  it.each([
    [
      'is deleted',
      async (harness: Rotation, name: string) => harness.cluster.client().delete(certificateSigningRequests, { name }),
      'was deleted',
    ],
    [
      'gets no answer in 15 minutes',
      async (harness: Rotation) => harness.clock.advance(15 * 60_000),
      'deadline of 900000 ms',
    ],
  ])('asks again when the request %s', async (_what, spoil, text) => {
    const harness = await rotation();
    await harness.manager.start();
    await harness.clock.advance(0);
    await spoil(harness, (await harness.signer.newest()).metadata?.name ?? '');
    await harness.clock.runUntil(() => harness.counted.failures === 1, 5_000);
    expect(harness.manager.waitingFor()).toContain(text);
    await harness.clock.advance(5_000);
    await harness.signer.approveNewest();
    await harness.clock.advance(1_000);
    expect(harness.manager.current()).toBeDefined();
    await harness.manager.stop();
  });

  it('tries after 2, 4, 8 and 16 s, then every 32 s, and logs one line for all of it', async () => {
    const harness = await rotation();
    const { manager, clock, logger, client } = harness;
    const tries: number[] = [];
    const broken: Pick<KubeClient, 'create'> = {
      create: async () => {
        tries.push(clock.monotonic());
        throw Object.assign(new Error('connection refused'), { httpStatus: 0 });
      },
    };
    harness.client = { ...client, ...broken } as typeof client;
    await manager.start();
    await clock.advance(200_000);
    const gaps = tries.slice(1).map((at, index) => (at - (tries[index] ?? 0)) / 1000);
    for (const [index, least] of [2, 4, 8, 16].entries()) {
      expect(gaps[index]).toBeGreaterThanOrEqual(least);
      expect(gaps[index]).toBeLessThan(least * 1.1 + 0.01);
    }
    for (const gap of gaps.slice(4)) expect(gap).toBeCloseTo(32, 3);
    expect(logger.messages('error')).toEqual(['Failed while requesting a signed certificate from the control plane']);
    expect(manager.serverHealthy()).toBe(false);
    harness.client = client;
    await clock.advance(33_000);
    await harness.signer.approveNewest();
    await clock.advance(1_000);
    expect(logger.messages('info')).toContain('The certificate could be renewed');
    expect(harness.released).toBeGreaterThan(tries.length);
    await manager.stop();
  });

  it('drops a request that no longer asks for the right names, and asks for those at once', async () => {
    const harness = await rotation();
    const { manager, clock, signer } = harness;
    harness.template = { ...nodeTemplate('n1'), dnsNames: ['a'], ipAddresses: ['10.0.0.1'] };
    harness.client = harness.cluster.client();
    await manager.start();
    await clock.advance(0);
    expect(signer.content(await signer.newest()).ipAddresses).toEqual(['10.0.0.1']);
    harness.template = { ...nodeTemplate('n1'), dnsNames: ['a'], ipAddresses: ['10.0.0.2'] };
    await clock.advance(4_000);
    expect(await signer.requests()).toHaveLength(2);
    expect(signer.content(await signer.newest()).ipAddresses).toEqual(['10.0.0.2']);
    await signer.approveNewest();
    await clock.advance(1_000);
    // One that has more names than wanted is right.
    harness.template = nodeTemplate('n1');
    await clock.advance(5_000);
    expect(await signer.requests()).toHaveLength(2);
    harness.template = { ...nodeTemplate('n1'), dnsNames: ['b'], ipAddresses: [] };
    await clock.advance(2_000);
    expect(await signer.requests()).toHaveLength(3);
    await manager.stop();
  });

  it('asks for nothing as long as there is nothing to ask for', async () => {
    const harness = await rotation();
    harness.template = undefined;
    await harness.manager.start();
    await harness.clock.advance(60_000);
    expect(await harness.signer.requests()).toEqual([]);
    expect(harness.counted.failures).toBe(0);
    expect(harness.manager.waitingFor()).toBe('no client certificate is asked for yet: the spec gave none');
    harness.template = nodeTemplate('n1');
    await harness.clock.advance(1_000);
    expect(await harness.signer.requests()).toHaveLength(1);
    await harness.manager.stop();
  });

  it('goes on after a restart with the certificate it has, and asks at once when that has expired', async () => {
    const first = await started();
    await first.manager.stop();
    const second = await rotation(first);
    await second.manager.start();
    await second.clock.advance(10_000);
    expect(second.manager.current()?.certificate).toBe(first.manager.current()?.certificate);
    expect(await second.signer.requests()).toHaveLength(1);
    await second.manager.stop();
    await second.clock.advance(1.1 * lifetimeMs);
    const third = await rotation(first);
    await third.manager.start();
    await third.clock.advance(0);
    expect(third.manager.current()).toBeUndefined();
    expect(third.manager.healthy().ok).toBe(false);
    expect(await third.signer.requests()).toHaveLength(2);
    await third.signer.approveNewest(lifetimeMs);
    await third.clock.runUntil(() => third.manager.current() !== undefined, 5_000);
    expect(third.counted.livedMs).toEqual([]);
    await third.manager.stop();
  });

  it('keeps the old certificate when the new one is not of its key', async () => {
    const { manager, clock, signer, cluster } = await started();
    const old = manager.current();
    await clock.runUntil(async () => (await signer.requests()).length > 1, 0.9 * lifetimeMs);
    const [first, second] = await signer.requests();
    const name = second?.metadata?.name ?? '';
    await signer.decide(name, 'Approved');
    const request = await cluster.client().get(certificateSigningRequests, { name });
    const certificate = first?.status?.certificate ?? '';
    await cluster
      .client()
      .update(
        certificateSigningRequests,
        { ...request, status: { ...request.status, certificate } },
        { subresource: 'status' },
      );
    await clock.advance(1_000);
    expect(manager.current()).toEqual(old);
    expect(manager.waitingFor()).toContain('private key does not match public key');
    expect(readCertificate(old?.certificate ?? '').subject.commonName).toBe('system:node:n1');
    await manager.stop();
  });
});
