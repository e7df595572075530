import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { KubeApiError, type KubeClient } from '@podwright/kube-client-interface';
import { checkKubeconfig, readKubeconfig } from '@podwright/kubeconfig';
import { TestCluster } from '@podwright/test-cluster';
import {
  bootstrapUser,
  createRotationHarness,
  removeFolders,
  type RotationHarness,
} from '../fixtures/rotation-harness.js';
import { prepareBootstrapKubeconfig } from './prepare-bootstrap-kubeconfig.js';

const dayMs = 86_400_000;
const authority = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');

const newHarness = (): Promise<RotationHarness> =>
  createRotationHarness((clock) => new TestCluster({ clock, sign: false }));

afterAll(removeFolders);

interface Bootstrap extends RotationHarness {
  readonly kubeconfig: string;
  readonly asked: string[];
  prepare(rotateCertificates: boolean, signal?: AbortSignal): Promise<void>;
}

async function bootstrap(own: Partial<KubeClient> = {}): Promise<Bootstrap> {
  const harness = await newHarness();
  const { cluster, clock, logger, folder, certDir } = harness;
  const bootstrapKubeconfig = path.join(folder, 'bootstrap.conf');
  await writeFile(
    bootstrapKubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', 'certificate-authority-data': authority } }],
      users: [{ name: 'u', user: { token: 'abcdef.0123456789abcdef' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );
  const kubeconfig = path.join(folder, 'kubelet.conf');
  const asked: string[] = [];
  const clients = {
    fromKubeconfig: async (file: string) => {
      asked.push(file);
      const client = Object.create(cluster.client(bootstrapUser)) as KubeClient;
      return Object.assign(client, { getText: async () => 'ok', ...own });
    },
  };
  return {
    ...harness,
    kubeconfig,
    asked,
    prepare: (rotateCertificates, signal = new AbortController().signal) =>
      prepareBootstrapKubeconfig(
        { clock, random: cluster.random, logger, clients },
        { kubeconfig, bootstrapKubeconfig, certDir, nodeName: 'n1', rotateCertificates },
        signal,
      ),
  };
}

describe('prepareBootstrapKubeconfig', () => {
  it('writes a kubeconfig that points to the certificate to come, when it comes in the background', async () => {
    const { prepare, kubeconfig, certDir, asked } = await bootstrap();
    await prepare(true);
    const current = path.join(certDir, 'kubelet-client-current.pem');
    expect(await readKubeconfig(kubeconfig)).toEqual({
      file: kubeconfig,
      contextName: 'default-context',
      clusterName: 'default-cluster',
      userName: 'default-auth',
      namespace: 'default',
      cluster: { server: 'https://10.0.0.1:6443', certificateAuthority: { data: '-----BEGIN CERTIFICATE-----' } },
      user: { clientCertificate: { file: current }, clientKey: { file: current } },
    });
    expect(asked).toEqual([]);
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
  });

  it('removes what a killed kubelet left of writing kubeconfig and key', async () => {
    const { prepare, kubeconfig, folder, certDir } = await bootstrap();
    await prepare(true);
    await mkdir(certDir, { recursive: true });
    await writeFile(path.join(folder, `.kubelet.conf.12-0`), 'half');
    await writeFile(path.join(certDir, `.kubelet-client.key.tmp.12-0`), 'half');
    await prepare(true);
    expect(await readdir(folder)).toContain(path.basename(kubeconfig));
    expect([...(await readdir(folder)), ...(await readdir(certDir))].filter((name) => name.startsWith('.'))).toEqual(
      [],
    );
  });

  it('waits for the certificate otherwise, and uses what it has the next time', async () => {
    const made = await bootstrap();
    const { prepare, kubeconfig, certDir, clock, signer, asked } = made;
    const prepared = prepare(false);
    await clock.advance(0);
    const request = await signer.newest();
    expect(request.metadata?.name).toMatch(/^node-csr-[A-Za-z0-9_-]{43}$/);
    expect(request.spec).toMatchObject({
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    });
    expect((await stat(path.join(certDir, 'kubelet-client.key.tmp'))).mode & 0o777).toBe(0o600);
    await expect(stat(kubeconfig)).rejects.toThrow('ENOENT');
    await signer.approveNewest();
    await clock.advance(1_000);
    await prepared;
    const files = await readdir(certDir);
    expect(files).not.toContain('kubelet-client.key.tmp');
    expect(await readlink(path.join(certDir, 'kubelet-client-current.pem'))).toMatch(/kubelet-client-[\d-]{19}\.pem$/);
    expect(await checkKubeconfig(kubeconfig, clock.now())).toMatchObject({ usable: true });
    const written = await readFile(kubeconfig, 'utf8');
    await prepare(false);
    await prepare(true);
    expect(await readFile(kubeconfig, 'utf8')).toBe(written);
    expect(asked).toHaveLength(1);
  });

  it('goes on with its request after it was killed', async () => {
    const { prepare, clock, signer } = await bootstrap();
    const killed = new AbortController();
    const first = prepare(false, killed.signal);
    await clock.advance(0);
    killed.abort(new Error('killed'));
    await expect(first).rejects.toThrow('killed');
    const second = prepare(false);
    await clock.advance(0);
    expect(await signer.requests()).toHaveLength(1);
    await signer.approveNewest();
    await clock.advance(1_000);
    await second;
  });

  it('asks again when the certificate has expired, with the same key, and does not take the expired answer', async () => {
    const { prepare, clock, signer, logger } = await bootstrap();
    const first = prepare(false);
    await clock.advance(0);
    await signer.approveNewest(dayMs);
    await clock.advance(1_000);
    await first;
    await clock.advance(2 * dayMs);
    await expect(prepare(false)).rejects.toThrow(
      'retrieved csr is not compatible: one of the certificates for the CSR has expired',
    );
    const line = logger.entries.find(({ severity }) => severity === 'warning');
    expect(line?.message).toBe('The kubeconfig cannot be used, asking for a new client certificate');
    // In the background every request is a new one.
    await prepare(true);
  });

  it('waits up to a minute for the server, then tries all the same', async () => {
    let times = 0;
    const away = async (): Promise<string> => {
      times += 1;
      throw new KubeApiError('connection refused', { code: 'unavailable', httpStatus: 0 });
    };
    const { prepare, clock, signer, logger } = await bootstrap({ getText: away });
    const prepared = prepare(false);
    await clock.advance(59_000);
    expect(await signer.requests()).toEqual([]);
    await clock.advance(5_000);
    expect(await signer.requests()).toHaveLength(1);
    expect(times).toBeGreaterThanOrEqual(25);
    expect(times).toBeLessThanOrEqual(31);
    expect(logger.messages('info').filter((text) => text === 'Failed to connect to apiserver')).toHaveLength(1);
    await signer.approveNewest();
    await clock.advance(1_000);
    await prepared;
  });

  it('rejects after an hour without approval, and says meanwhile what helps', async () => {
    const { prepare, clock, signer, logger } = await bootstrap();
    const prepared = prepare(false);
    const outcome = expect(prepared).rejects.toThrow('deadline of 3600000 ms exceeded');
    await clock.advance(60_001);
    const { name = '' } = (await signer.newest()).metadata ?? {};
    expect(logger.entries.find(({ severity }) => severity === 'warning')?.fields).toMatchObject({
      csr: name,
      help: `kubectl certificate approve ${name}`,
    });
    await clock.advance(3_600_000);
    await outcome;
  });

  it('rejects when the request is denied', async () => {
    const { prepare, clock, signer } = await bootstrap();
    const outcome = expect(prepare(false)).rejects.toThrow('certificate signing request is denied, reason: Test');
    await clock.advance(0);
    await signer.decide((await signer.newest()).metadata?.name ?? '', 'Denied');
    await clock.advance(1_000);
    await outcome;
  });

  it('does nothing without a bootstrap kubeconfig, and names one that cannot be read', async () => {
    const { cluster, clock, logger, folder, certDir } = await newHarness();
    const deps = { clock, random: cluster.random, logger, clients: { fromKubeconfig: async () => cluster.client() } };
    const options = { kubeconfig: path.join(folder, 'k'), certDir, nodeName: 'n1', rotateCertificates: true };
    const { signal } = new AbortController();
    await prepareBootstrapKubeconfig(deps, { ...options, bootstrapKubeconfig: '' }, signal);
    expect(await readdir(folder)).toEqual([]);
    await mkdir(path.join(folder, 'missing'));
    const bootstrapKubeconfig = path.join(folder, 'missing', 'b');
    await expect(prepareBootstrapKubeconfig(deps, { ...options, bootstrapKubeconfig }, signal)).rejects.toThrow(
      `unable to load bootstrap kubeconfig: kubeconfig ${bootstrapKubeconfig}: no such file or directory`,
    );
  });
});
