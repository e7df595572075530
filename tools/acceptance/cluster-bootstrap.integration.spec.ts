import { lstat, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { certificateSigningRequests } from '@podwright/kube-client-interface';
import { labSupport } from '@podwright/lab';
import { createSelfSignedCertificate, generatePrivateKey, readCertificate } from '@podwright/x509';
import { unexpectedCalls } from './api-calls-table.js';
import { ClusterNode } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import { podManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';

const token = 'abcdef.0123456789abcdef';
const bootstrapUser = 'system:bootstrap:abcdef';
const tokens = {
  [token]: { name: bootstrapUser, groups: ['system:bootstrappers', 'system:authenticated'] },
};

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`a node that joins with a token${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer;
  let on: ClusterNode;
  let pki = '';
  let kubeconfig = '';

  const join = async (name: string, approve: 'client' | 'none'): Promise<void> => {
    server = await MemoryClusterServer.start({ tokens, approve });
    const { dir } = bed().lab;
    pki = path.join(dir, `${name}-pki`);
    kubeconfig = path.join(dir, `${name}.kubeconfig`);
    const bootstrap = path.join(dir, `${name}-bootstrap.kubeconfig`);
    await writeFile(bootstrap, tokenKubeconfig(server));
    on = await ClusterNode.start(bed(), server, name, {
      configuration: { rotateCertificates: true, clusterDNS: ['10.96.0.10'] },
      join: ['--bootstrap-kubeconfig', bootstrap, '--kubeconfig', kubeconfig, '--cert-dir', pki],
    });
  };
  const currentFile = (): Promise<string> => readlink(path.join(pki, 'kubelet-client-current.pem'));
  afterEach(async () => {
    await on?.stop();
    await bed().stopNodes();
    const requests = [bootstrapUser, `system:node:${on.name}`].flatMap((user) => server.requests({ user }));
    expect(unexpectedCalls(requests)).toEqual({ undocumented: [], forbidden: [] });
    await server?.stop();
  });

  it('gets its certificate, keeps it where kubeadm expects it, and recovers from one that has expired', async () => {
    await join('auto', 'client');
    await on.ready();
    const link = path.join(pki, 'kubelet-client-current.pem');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    const first = await currentFile();
    expect(path.basename(first)).toMatch(/^kubelet-client-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.pem$/);
    expect(path.dirname(path.resolve(pki, first))).toBe(pki);
    expect((await stat(link)).mode & 0o777).toBe(0o600);
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
    const text = await readFile(kubeconfig, 'utf8');
    expect(text).toContain(link);
    expect(text).toContain(server.url);
    expect(text).not.toContain(token);
    const { subject } = readCertificate(await readFile(link, 'utf8'));
    expect(subject).toMatchObject({ commonName: 'system:node:auto', organizations: ['system:nodes'] });
    await on.create(podManifest('web'));
    await on.untilReady('web');
    const [container] = await bed().runtime.running('web');

    await on.kubelet.end('SIGTERM');
    await writeFile(path.resolve(pki, first), await expired('auto'), { mode: 0o600 });
    const restartedMs = Date.now();
    await on.kubelet.start();
    await on.kubelet.waitFor('there is another certificate', async () => (await currentFile()) !== first);
    await on.kubelet.waitFor(
      'it reports with it',
      async () => server.requests({ user: 'system:node:auto', code: 200 }, restartedMs).length > 0,
    );
    await on.delete('web');
    await on.untilGone('web');
    expect(container).toBeDefined();
    expect((await readdir(pki)).filter((file) => file.startsWith('kubelet-client-'))).toHaveLength(3);
  });

  it('says what its request waits for, and joins once somebody approves', async () => {
    await join('pending', 'none');
    const request = await on.kubelet.waitFor('there is a request', async () => {
      const { items } = await on.admin.list(certificateSigningRequests);
      return items[0];
    });
    expect(request.spec).toMatchObject({
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      username: bootstrapUser,
      usages: ['digital signature', 'client auth'],
    });
    // The command that helps is said after a minute, which is longer than this test.
    const waiting = await on.kubelet.waitFor('the log says what it waits for', async () => {
      const lines = await on.kubelet.complaints('it comes with the approval of the node');
      return lines.filter((line) => line.includes('credentials for the API server are not complete'));
    });
    expect(waiting).toHaveLength(1);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'ByHand', message: 'by the test' }];
    await on.admin.update(
      certificateSigningRequests,
      { ...request, status: { conditions } as NonNullable<typeof request.status> },
      { subresource: 'approval' },
    );
    await on.ready();
  });
});

function tokenKubeconfig(server: MemoryClusterServer): string {
  const authority = Buffer.from(server.api.caCertificate).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: server.url, 'certificate-authority-data': authority } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

/** Chain and key of a node's certificate that was good until an hour ago. */
async function expired(nodeName: string): Promise<string> {
  const privateKey = await generatePrivateKey();
  const hourMs = 3_600_000;
  const certificate = createSelfSignedCertificate({
    subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
    privateKey,
    usages: ['digital signature', 'client auth'],
    notBeforeMs: Date.now() - 2 * hourMs,
    notAfterMs: Date.now() - hourMs,
  });
  return certificate + privateKey;
}
