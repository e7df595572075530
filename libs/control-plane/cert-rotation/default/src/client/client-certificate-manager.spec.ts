import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeCertificateManagerContract } from '@podwright/cert-rotation-interface/contract';
import { KubeApiError, type KubeClient } from '@podwright/kube-client-interface';
import { TestCluster } from '@podwright/test-cluster';
import { createCertificateRequest, generatePrivateKey, readCertificateRequest } from '@podwright/x509';
import {
  bootstrapUser,
  createRotationHarness,
  nodeUser,
  removeFolders,
  type RotationHarness,
} from '../fixtures/rotation-harness.js';
import type { ClientCertificateManager } from './client-certificate-manager.js';
import type { ClientCertificateConfig } from './client-certificate-config.js';
import { createClientCertificate } from './client-certificate.module.js';

// Short, as virtual time stops for each look of the watchdog: six a minute.
const lifetimeMs = 3_600_000;
const untilRotationMs = 0.9 * lifetimeMs + 10_000;

interface Client extends RotationHarness {
  readonly manager: ClientCertificateManager;
  readonly used: { bootstrap: number; reloads: number; lost: string[] };
}

function client(
  harness: RotationHarness,
  options: Partial<ClientCertificateConfig> = {},
  own?: Partial<KubeClient>,
): Client {
  const { cluster, clock, logger, metrics, certDir } = harness;
  const used: Client['used'] = { bootstrap: 0, reloads: 0, lost: [] };
  const manager = createClientCertificate(
    {
      client: Object.assign(Object.create(cluster.client(nodeUser)) as KubeClient, own),
      clients: {
        fromKubeconfig: async () => {
          used.bootstrap += 1;
          return cluster.client(bootstrapUser);
        },
      },
      transport: { reloadCredentials: async () => void (used.reloads += 1) },
      clock,
      random: cluster.random,
      logger,
      metrics,
      lost: (reason) => void used.lost.push(reason),
    },
    { nodeName: 'n1', certDir, ...options },
  );
  return { ...harness, manager, used };
}

const newHarness = (): Promise<RotationHarness> =>
  createRotationHarness((clock) => new TestCluster({ clock, sign: false }));

afterAll(removeFolders);

describeCertificateManagerContract('ClientCertificateManager', async () => {
  const { manager, signer, clock } = client(await newHarness());
  return {
    manager,
    provide: async () => {
      const before = manager.current();
      await clock.advance(before === undefined ? 0 : untilRotationMs);
      await signer.approveNewest(lifetimeMs);
      await clock.runUntil(() => manager.current()?.certificate !== before?.certificate, 5_000);
    },
    pendingTimers: () => clock.pendingTimers,
  };
});

const unauthorized = async (): Promise<never> => {
  throw new KubeApiError('Unauthorized', { code: 'unauthenticated', httpStatus: 401 });
};

describe('ClientCertificateManager', () => {
  it('asks first with the bootstrap credentials, then with its own, and gives each to the transport', async () => {
    const { manager, clock, signer, used } = client(await newHarness(), { bootstrapKubeconfig: '/bootstrap.conf' });
    await manager.start();
    await clock.advance(0);
    expect(used).toEqual({ bootstrap: 1, reloads: 0, lost: [] });
    await signer.approveNewest(lifetimeMs);
    await clock.advance(1_000);
    expect(used.reloads).toBe(1);
    await clock.advance(untilRotationMs);
    await signer.approveNewest(lifetimeMs);
    await clock.advance(1_000);
    expect(used).toEqual({ bootstrap: 1, reloads: 2, lost: [] });
    await manager.stop();
  });

  it('counts down for its certificate', async () => {
    const { manager, clock, signer, metrics } = client(await newHarness());
    await manager.start();
    await clock.advance(0);
    expect(await metrics.render()).toContain('kubelet_certificate_manager_client_ttl_seconds +Inf');
    await signer.approveNewest(lifetimeMs);
    await clock.advance(1_000);
    expect(await metrics.render()).toContain(
      `kubelet_certificate_manager_client_ttl_seconds ${lifetimeMs / 1_000 - 1}`,
    );
    await manager.stop();
  });

  /** A kubeconfig with a certificate of its own for the node, by the names of files or as it is. */
  async function ownKubeconfig(
    harness: RotationHarness,
    form: 'files' | 'data',
  ): Promise<{ readonly kubeconfig: string; readonly certificate: string }> {
    const key = await generatePrivateKey();
    const subject = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
    const request = readCertificateRequest(createCertificateRequest({ subject, privateKey: key }));
    const certificate = harness.signer.sign(request, ['client auth'], lifetimeMs);
    const [certFile, keyFile] = [path.join(harness.folder, 'n1.crt'), path.join(harness.folder, 'n1.key')];
    const kubeconfig = path.join(harness.folder, 'kubelet.conf');
    await writeFile(certFile, certificate);
    await writeFile(keyFile, key);
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const user =
      form === 'files'
        ? { 'client-certificate': certFile, 'client-key': keyFile }
        : { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    await writeFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443' } }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    return { kubeconfig, certificate };
  }

  it('begins with the certificate that the kubeconfig names', async () => {
    const harness = await newHarness();
    const { kubeconfig, certificate } = await ownKubeconfig(harness, 'files');
    const { manager, clock, signer } = client(harness, { kubeconfig });
    await manager.start();
    await clock.advance(60_000);
    expect(manager.current()?.certificate).toBe(certificate);
    expect(await signer.requests()).toEqual([]);
    await manager.stop();
  });

  it('stores the certificate inside a kubeconfig, as kubeadm init writes one, and requests its own at once', async () => {
    const harness = await newHarness();
    const { kubeconfig, certificate } = await ownKubeconfig(harness, 'data');
    const bootstrapKubeconfig = path.join(harness.folder, 'none.conf');
    const { manager, clock, signer, used, certDir } = client(harness, { kubeconfig, bootstrapKubeconfig });
    await manager.start();
    expect(manager.current()?.certificate).toBe(certificate);
    expect(await readFile(path.join(certDir, 'kubelet-client-current.pem'), 'utf8')).toContain(certificate);
    await clock.advance(0);
    await signer.approveNewest(lifetimeMs);
    await clock.advance(1_000);
    expect(manager.current()?.certificate).not.toBe(certificate);
    expect(used).toEqual({ bootstrap: 0, reloads: 2, lost: [] });
    await manager.stop();

    const later = client(harness, { kubeconfig, bootstrapKubeconfig });
    await later.manager.start();
    expect(later.manager.current()).toEqual(manager.current());
    await clock.advance(60_000);
    expect(await signer.requests()).toHaveLength(1);
    await later.manager.stop();
  });

  it('ends the kubelet after 5 minutes without a certificate while the server refuses it', async () => {
    const { manager, clock, used, logger } = client(await newHarness(), {}, { create: unauthorized });
    await manager.start();
    await clock.advance(299_000);
    expect(used.lost).toEqual([]);
    await clock.advance(12_000);
    expect(used.lost).toEqual(['No valid client certificate is found and the server is responsive, exiting.']);
    await clock.advance(600_000);
    expect(used.lost).toHaveLength(1);
    expect(logger.messages('error')).toContain(used.lost[0]);
    await manager.stop();
  });

  it('waits on while the server is away, and says so once', async () => {
    const away = async (): Promise<never> => {
      throw new KubeApiError('connection refused', { code: 'unavailable', httpStatus: 0 });
    };
    const { manager, clock, used, logger } = client(await newHarness(), {}, { create: away });
    await manager.start();
    await clock.advance(3_600_000);
    expect(used.lost).toEqual([]);
    const text = /No valid client certificate is found but the server is not responsive/;
    expect(logger.messages('error').filter((message) => text.test(message))).toHaveLength(1);
    await manager.stop();
  });

  it('lives on while approval is pending', async () => {
    const { manager, clock, used } = client(await newHarness());
    await manager.start();
    await clock.advance(3_600_000);
    expect(used.lost).toEqual([]);
    expect(manager.waitingFor()).toContain('kubectl certificate approve csr-');
    await manager.stop();
  });

  it('names options that are out of range', () => {
    expect(() => createClientCertificate({} as never, { nodeName: 'n1', exitAfterMs: -1 })).toThrow('exitAfterMs');
  });
});
