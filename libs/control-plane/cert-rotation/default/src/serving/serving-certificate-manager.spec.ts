import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeCertificateManagerContract } from '@podwright/cert-rotation-interface/contract';
import { KubeletError } from '@podwright/errors';
import type { Node, NodeAddress } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { eventually } from '@podwright/time';
import { createSelfSignedCertificate, generatePrivateKey, readCertificate, readCertificates } from '@podwright/x509';
import { createRotationHarness, nodeUser, removeFolders, type RotationHarness } from '../fixtures/rotation-harness.js';
import type { ServingCertificateManager } from './serving-certificate-manager.js';
import type { ServingCertificateConfig } from './serving-certificate-config.js';
import { createServingCertificate } from './serving-certificate.module.js';

const dayMs = 86_400_000;
// Short, as the manager looks at the addresses each second.
const lifetimeMs = 1_000_000;

const newHarness = (): Promise<RotationHarness> =>
  createRotationHarness((clock) => new TestCluster({ clock, sign: false }));

afterAll(removeFolders);

interface Serving extends RotationHarness {
  readonly manager: ServingCertificateManager;
  addresses: readonly NodeAddress[] | undefined;
}

function serving(harness: RotationHarness, options: Partial<ServingCertificateConfig>): Serving {
  const { cluster, clock, logger, metrics, certDir } = harness;
  const self: Omit<Serving, 'manager'> = { ...harness, addresses: undefined };
  const getNode = (): Node => {
    if (self.addresses === undefined) throw new KubeletError('the node is not known yet', { code: 'unavailable' });
    return { metadata: { name: 'n1' }, status: { addresses: [...self.addresses] } };
  };
  const manager = createServingCertificate(
    { clock, random: cluster.random, logger, metrics, client: cluster.client(nodeUser), node: { getNode } },
    { nodeName: 'n1', certDir, ...options },
  );
  return Object.assign(self, { manager });
}

async function writePair(files: { certFile: string; keyFile: string }, name: string): Promise<string> {
  const privateKey = await generatePrivateKey();
  const certificate = createSelfSignedCertificate({
    subject: { commonName: name },
    privateKey,
    usages: ['server auth'],
    notBeforeMs: Date.UTC(2026, 0, 1),
    notAfterMs: Date.UTC(2027, 0, 1),
  });
  await mkdir(path.dirname(files.certFile), { recursive: true });
  await writeFile(files.keyFile, privateKey);
  await writeFile(files.certFile, certificate);
  return certificate;
}

describeCertificateManagerContract('ServingCertificateManager by request', async () => {
  const harness = serving(await newHarness(), { source: 'request' });
  const { manager, clock, signer } = harness;
  harness.addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
  return {
    manager,
    provide: async () => {
      const before = manager.current();
      await clock.advance(before === undefined ? 0 : 0.9 * lifetimeMs + 10_000);
      await signer.approveNewest(lifetimeMs);
      await clock.runUntil(() => manager.current()?.certificate !== before?.certificate, 5_000);
    },
    pendingTimers: () => clock.pendingTimers,
  };
});

describe('a serving certificate by request', () => {
  it('asks once the node has an address, with upstream words, and again when its addresses change', async () => {
    const harness = serving(await newHarness(), { source: 'request' });
    const { manager, clock, signer, metrics } = harness;
    await manager.start();
    await clock.advance(5_000);
    expect(await signer.requests()).toEqual([]);
    expect(manager.waitingFor()).toBe('no serving certificate is asked for yet: the node has no address yet');
    expect(await metrics.render()).toContain('kubelet_certificate_manager_server_ttl_seconds +Inf');
    harness.addresses = [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'Hostname', address: 'n1' },
    ];
    await clock.advance(2_000);
    const request = await signer.newest();
    expect(request.spec).toMatchObject({
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
    expect(signer.content(request)).toMatchObject({
      subject: { commonName: 'system:node:n1', organizations: ['system:nodes'] },
      dnsNames: ['n1'],
      ipAddresses: ['10.0.0.1'],
    });
    await signer.approveNewest();
    await clock.advance(1_000);
    expect(await readFile(path.join(harness.certDir, 'kubelet-server-current.pem'), 'utf8')).toBe(
      `${manager.current()?.certificate}${manager.current()?.privateKey}`,
    );
    expect(await metrics.render()).toContain(`kubelet_certificate_manager_server_ttl_seconds ${10 * 86_400 - 1}`);
    harness.addresses = [{ type: 'InternalIP', address: '10.0.0.9' }];
    await clock.advance(2_000);
    expect(signer.content(await signer.newest()).ipAddresses).toEqual(['10.0.0.9']);
    await signer.approveNewest();
    await clock.advance(1_000);
    expect(readCertificate(manager.current()?.certificate ?? '').ipAddresses).toEqual(['10.0.0.9']);
    expect(await metrics.render()).toContain('kubelet_certificate_manager_server_rotation_seconds_count 1');
    await manager.stop();
    expect(await metrics.render()).not.toContain('server_ttl_seconds');
  });
});

const filesIn = (folder: string): { certFile: string; keyFile: string } => ({
  certFile: path.join(folder, 'tls.crt'),
  keyFile: path.join(folder, 'tls.key'),
});

describe('a serving certificate from files', () => {
  it('is taken up when it changes, and stays while the files do not fit together', async () => {
    const harness = await newHarness();
    const files = filesIn(harness.folder);
    const first = await writePair(files, 'first');
    const { manager } = serving(harness, { source: 'files', ...files });
    await manager.start();
    expect(manager.current()?.certificate).toBe(first);
    await writeFile(files.keyFile, await generatePrivateKey());
    await harness.clock.advance(180_000);
    expect(manager.current()?.certificate).toBe(first);
    expect(manager.waitingFor()).toContain('private key does not match public key');
    expect(harness.logger.messages('error')).toEqual(['invalid certificate and key pair from file']);
    const second = await writePair(files, 'second');
    await harness.clock.advance(60_000);
    expect(manager.current()?.certificate).toBe(second);
    expect(manager.waitingFor()).toBeUndefined();
    await manager.stop();
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('is taken up as soon as both files are written', async () => {
    const harness = await newHarness();
    const files = filesIn(harness.folder);
    await writePair(files, 'first');
    const { manager } = serving(harness, { source: 'files', ...files });
    await manager.start();
    const [startedAt, timers] = [harness.clock.monotonic(), harness.clock.pendingTimers];
    const second = await writePair(files, 'second');
    await eventually(async () => {
      // The kernel has told of the files: they are given time to become a pair.
      if (harness.clock.pendingTimers > timers) await harness.clock.advance(200);
      return manager.current()?.certificate === second;
    });
    expect(harness.clock.monotonic() - startedAt).toBeLessThan(60_000);
    await manager.stop();
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('must be there at the start', async () => {
    const harness = await newHarness();
    const { manager } = serving(harness, { source: 'files', ...filesIn(harness.folder) });
    await expect(manager.start()).rejects.toThrow('invalid certificate and key pair from file');
    await manager.stop();
  });

  it('is not looked at again when that is switched off', async () => {
    const harness = await newHarness();
    const files = filesIn(harness.folder);
    const first = await writePair(files, 'first');
    const { manager } = serving(harness, { source: 'files', ...files, filePollMs: 0 });
    await manager.start();
    await writePair(files, 'second');
    await harness.clock.advance(600_000);
    expect(manager.current()?.certificate).toBe(first);
    await manager.stop();
  });
});

describeCertificateManagerContract('ServingCertificateManager, self-signed', async () => {
  const harness = await newHarness();
  const { manager, clock, certDir } = serving(harness, { source: 'self-signed' });
  let times = 0;
  return {
    manager,
    provide: async () => {
      times += 1;
      // The first is its own; whoever wants another one puts it in its place.
      if (times === 1) return manager.made();
      const files = { certFile: path.join(certDir, 'kubelet.crt'), keyFile: path.join(certDir, 'kubelet.key') };
      await writePair(files, 'another');
      await clock.advance(60_000);
    },
    makes: true,
    pendingTimers: () => clock.pendingTimers,
  };
});

describe('a self-signed serving certificate', () => {
  // Below /proc, the recursive mkdir of Node.js does not even fail.
  it.each(['/dev/null/pki', '/proc/podwright/pki'])(
    'is refused at the start in %s, with what to do',
    async (certDir) => {
      const harness = await newHarness();
      const { manager } = serving(harness, { source: 'self-signed', certDir });
      await expect(manager.start()).rejects.toThrow(
        /^unable to generate self signed cert in \/.*\/pki: .*; make it writable, or give another --cert-dir$/,
      );
      await manager.stop();
    },
  );

  it('has the names, files and times of upstream, and is used again', async () => {
    const harness = await newHarness();
    const { manager } = serving(harness, { source: 'self-signed' });
    await manager.start();
    expect(manager.current()).toBeUndefined();
    await manager.made();
    const [leaf, authority, ...others] = readCertificates(manager.current()?.certificate ?? '');
    expect(others).toEqual([]);
    const seconds = Math.trunc(harness.clock.now() / 1000);
    expect(leaf).toMatchObject({
      subject: { commonName: `n1@${seconds}`, organizations: [] },
      issuer: { commonName: `n1-ca@${seconds}` },
      dnsNames: ['n1'],
      authority: false,
      notBeforeMs: harness.clock.now() - 3_600_000,
      notAfterMs: harness.clock.now() - 3_600_000 + 365 * dayMs,
    });
    expect([...(leaf?.usages ?? [])].sort()).toEqual(['digital signature', 'key encipherment', 'server auth']);
    expect(authority).toMatchObject({ subject: { commonName: `n1-ca@${seconds}` }, authority: true });
    expect(manager.current()?.privateKey).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
    expect((await stat(path.join(harness.certDir, 'kubelet.crt'))).mode & 0o777).toBe(0o644);
    expect((await stat(path.join(harness.certDir, 'kubelet.key'))).mode & 0o777).toBe(0o600);
    await manager.stop();
    await harness.clock.advance(1_000_000);
    const again = serving(harness, { source: 'self-signed' }).manager;
    await again.start();
    expect(again.current()).toEqual(manager.current());
    await again.stop();
  });

  it('starts without what a killed kubelet left of writing it', async () => {
    const harness = await newHarness();
    await mkdir(harness.certDir, { recursive: true });
    for (const name of [`.kubelet.key.12-0`, `.kubelet.crt.12-1`, '.kubelet.crt.swp'])
      await writeFile(path.join(harness.certDir, name), 'half');
    const { manager } = serving(harness, { source: 'self-signed' });
    await manager.start();
    await manager.made();
    expect((await readdir(harness.certDir)).sort()).toEqual(['.kubelet.crt.swp', 'kubelet.crt', 'kubelet.key']);
    await manager.stop();
  });

  it('names an address as one', async () => {
    const harness = await newHarness();
    const { manager } = serving(harness, { source: 'self-signed', nodeName: '10.0.0.1' });
    await manager.start();
    await manager.made();
    expect(readCertificate(manager.current()?.certificate ?? '')).toMatchObject({
      dnsNames: [],
      ipAddresses: ['10.0.0.1'],
    });
    await manager.stop();
  });
});
