import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { createSelfSignedCertificate, generatePrivateKey } from '@podwright/x509';
import { checkKubeconfig, parseKubeconfig, parseServer, readKubeconfig, writeKubeconfig } from './index.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const kubeconfig = (cluster: object, user: object = {}, rest: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
    ...rest,
  });
const read = (cluster: object, user?: object, rest?: object): ReturnType<typeof parseKubeconfig> =>
  parseKubeconfig(kubeconfig(cluster, user, rest), '/etc/kubernetes/kubelet.conf');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

describe('a kubeconfig', () => {
  it('is read from YAML as kubeadm writes it, with paths below its folder', () => {
    const text = `
apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${base64('-----BEGIN')}
    server: https://10.0.0.1:6443
  name: default-cluster
- cluster: {server: 7}
  name: broken-but-unused
contexts:
- context: {cluster: default-cluster, namespace: default, user: default-auth}
  name: default-context
current-context: default-context
kind: Config
preferences: {}
users:
- name: default-auth
  user: {client-certificate: pki/client.pem, client-key: /abs/key.pem}
`.replace('server: 7', 'server: "7"');
    expect(parseKubeconfig(text, '/var/lib/kubelet/kubeconfig')).toEqual({
      file: '/var/lib/kubelet/kubeconfig',
      contextName: 'default-context',
      clusterName: 'default-cluster',
      userName: 'default-auth',
      namespace: 'default',
      cluster: { server: 'https://10.0.0.1:6443', certificateAuthority: { data: '-----BEGIN' } },
      user: {
        clientCertificate: { file: '/var/lib/kubelet/pki/client.pem' },
        clientKey: { file: '/abs/key.pem' },
      },
    });
  });

  it('gives everything that a cluster and a user may have', () => {
    const { cluster } = read({
      'tls-server-name': 'api.example.org',
      'certificate-authority': 'ca.crt',
      'proxy-url': 'http://proxy:3128',
      'disable-compression': true,
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }, { name: 'other' }],
    });
    expect(cluster).toEqual({
      server: 'https://10.0.0.1:6443',
      tlsServerName: 'api.example.org',
      certificateAuthority: { file: '/etc/kubernetes/ca.crt' },
      proxyUrl: 'http://proxy:3128',
      disableCompression: true,
      execExtension: { audience: 'a' },
    });
    expect(read({ 'insecure-skip-tls-verify': true }).cluster.insecureSkipTlsVerify).toBe(true);
    const tokens = { token: 't', tokenFile: 'tokens/t', as: 'jane', 'as-uid': '7', 'as-groups': ['g'] };
    expect(read({}, { ...tokens, 'as-user-extra': { scope: ['a', 'b'] } }).user).toEqual({
      token: 't',
      tokenFile: '/etc/kubernetes/tokens/t',
      impersonate: { userName: 'jane', uid: '7', groups: ['g'], extra: { scope: ['a', 'b'] } },
    });
    expect(read({}, { username: 'u', password: 'p' }).user).toEqual({ username: 'u', password: 'p' });
    expect(read({}, { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }).user).toEqual({
      clientCertificate: { data: 'CERT' },
      clientKey: { data: 'KEY' },
    });
  });

  it('completes an exec plugin', () => {
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    expect(read({}, { exec: { apiVersion, command: 'bin/plugin', args: null, env: null } }).user.exec).toEqual({
      apiVersion,
      command: '/etc/kubernetes/bin/plugin',
      args: [],
      env: [],
      installHint: '',
      provideClusterInfo: false,
      interactiveMode: 'IfAvailable',
    });
    const exec = {
      apiVersion,
      command: 'plugin',
      interactiveMode: 'Never',
      provideClusterInfo: true,
      installHint: 'h',
    };
    expect(read({}, { exec: { ...exec, args: ['a'], env: [{ name: 'A', value: 'b' }] } }).user.exec).toEqual({
      ...exec,
      args: ['a'],
      env: [{ name: 'A', value: 'b' }],
    });
  });

  const v1 = { apiVersion: 'client.authentication.k8s.io/v1', command: 'p', interactiveMode: 'Never' };
  it.each<[string, object, object, object]>([
    ['no context chosen', {}, {}, { 'current-context': '' }],
    ['context was not found for specified context: y', {}, {}, { 'current-context': 'y' }],
    ['cluster "d" was not found for context "x"', {}, {}, { contexts: [{ name: 'x', context: { cluster: 'd' } }] }],
    ['cluster was not specified for context "x"', {}, {}, { contexts: [{ name: 'x', context: {} }] }],
    ['no server found for cluster "c"', { server: '' }, {}, {}],
    ['host must be a URL or a host:port pair: "a b"', { server: 'a b' }, {}, {}],
    ['scheme "ftp" is not supported', { server: 'ftp://a' }, {}, {}],
    ['a name or password in the URL is not supported', { server: 'https://u:p@a' }, {}, {}],
    ['invalid \'proxy-url\' "ftp://p" for cluster "c": unsupported scheme "ftp"', { 'proxy-url': 'ftp://p' }, {}, {}],
    [
      'certificate-authority-data and certificate-authority are both specified for c',
      { 'certificate-authority': 'a', 'certificate-authority-data': base64('b') },
      {},
      {},
    ],
    [
      'specifying a root certificates file with the insecure flag is not allowed',
      { 'certificate-authority': 'a', 'insecure-skip-tls-verify': true },
      {},
      {},
    ],
    ['clusters[0].cluster[certificate-authority-data]: is no base64', { 'certificate-authority-data': '***' }, {}, {}],
    ['expected string, got 7 (number)', { server: 7 }, {}, {}],
    ['client-key-data or client-key must be specified for u', {}, { 'client-certificate': 'a' }, {}],
    [
      'client-cert-data and client-cert are both specified for u',
      {},
      { 'client-certificate': 'a', 'client-certificate-data': base64('b'), 'client-key': 'k' },
      {},
    ],
    [
      'client-key-data and client-key are both specified for u',
      {},
      { 'client-certificate': 'a', 'client-key-data': base64('b'), 'client-key': 'k' },
      {},
    ],
    ['found [token basicAuth], only one is allowed', {}, { token: 't', username: 'u' }, {}],
    ['bearer token may be set, but not both', {}, { tokenFile: 't', username: 'u' }, {}],
    ['without impersonating a user', {}, { 'as-groups': ['g'] }, {}],
    ['no Auth Provider found for name "gcp"', {}, { 'auth-provider': { name: 'gcp' } }, {}],
    ['in combination with an exec plugin for u', {}, { 'auth-provider': { name: 'gcp' }, exec: v1 }, {}],
    ['command must be specified for u', {}, { exec: { ...v1, command: '' } }, {}],
    ['apiVersion must be specified for u', {}, { exec: { ...v1, apiVersion: '' } }, {}],
    ['exec plugin: invalid apiVersion "x/v1"', {}, { exec: { ...v1, apiVersion: 'x/v1' } }, {}],
    ['env variable name must be specified for u', {}, { exec: { ...v1, env: [{ value: 'v' }] } }, {}],
    ['interactiveMode must be specified for u', {}, { exec: { ...v1, interactiveMode: '' } }, {}],
    ['invalid interactiveMode for u: "Often"', {}, { exec: { ...v1, interactiveMode: 'Often' } }, {}],
    ['apiVersion v1 and kind Config are expected, got v1 Pod', {}, {}, { kind: 'Pod' }],
  ])('is refused: %s', (text, cluster, user, rest) => {
    let thrown: unknown;
    try {
      read(cluster, user, rest);
    } catch (error) {
      thrown = error;
    }
    expect(hasCode(thrown, 'invalid-argument')).toBe(true);
    expect((thrown as Error).message).toContain(text);
    expect((thrown as Error).message).toContain('kubeconfig /etc/kubernetes/kubelet.conf: ');
  });

  it('passes with fields of other tools, and without a user', () => {
    expect(read({ color: 'red' }, {}, { contexts: [{ name: 'x', context: { cluster: 'c' } }], mine: 1 }).user).toEqual(
      {},
    );
  });

  it('says where the text is broken, and that the file is missing', async () => {
    expect(() => parseKubeconfig('a: b: c', '/k')).toThrow('kubeconfig /k: invalid YAML at line 1');
    expect(() => parseKubeconfig('', '/k')).toThrow('kubeconfig /k: invalid configuration: no context chosen');
    const error: unknown = await readKubeconfig(join(folder, 'none')).catch((thrown: unknown) => thrown);
    expect(hasCode(error, 'not-found')).toBe(true);
  });
});

describe('the server of a cluster', () => {
  it.each([
    ['https://10.0.0.1:6443', true, '10.0.0.1', 6443, '', 'https://10.0.0.1:6443'],
    ['https://api.example.org', true, 'api.example.org', 443, '', 'https://api.example.org'],
    ['https://[fd00::1]:6443/', true, 'fd00::1', 6443, '', 'https://[fd00::1]:6443'],
    [
      'https://rancher/k8s/clusters/c-1/',
      true,
      'rancher',
      443,
      '/k8s/clusters/c-1',
      'https://rancher/k8s/clusters/c-1',
    ],
    ['http://127.0.0.1:8001', false, '127.0.0.1', 8001, '', 'http://127.0.0.1:8001'],
    ['localhost:8080', false, 'localhost', 8080, '', 'http://localhost:8080'],
    ['localhost', false, 'localhost', 80, '', 'http://localhost'],
  ])('%s', (server, secure, host, port, basePath, url) => {
    expect(parseServer(server)).toEqual({ secure, host, port, basePath, url });
  });
  it('is no path', () => {
    expect(parseServer('localhost/path')).toContain('host must be a URL or a host:port pair');
  });
});

describe('the kubeconfig that bootstrap writes', () => {
  it('is read as it was written, mode 0600, in a new folder', async () => {
    const file = join(folder, 'new', 'kubeconfig');
    const cluster = {
      server: 'https://[fd00::1]:6443',
      certificateAuthority: { data: '-----BEGIN CERTIFICATE-----\n'.repeat(9) },
      tlsServerName: 'yes',
      proxyUrl: 'http://p:1',
      disableCompression: true,
    };
    await writeKubeconfig(file, { cluster, clientCertificateFile: '/p/c.pem', clientKeyFile: '/p/c.pem' });
    expect(await readKubeconfig(file)).toEqual({
      file,
      contextName: 'default-context',
      clusterName: 'default-cluster',
      userName: 'default-auth',
      namespace: 'default',
      cluster,
      user: { clientCertificate: { file: '/p/c.pem' }, clientKey: { file: '/p/c.pem' } },
    });
    expect([(await stat(file)).mode & 0o777, await readdir(join(folder, 'new'))]).toEqual([0o600, ['kubeconfig']]);
    const byFile = { server: 's', insecureSkipTlsVerify: true, certificateAuthority: { file: '/ca' } };
    await writeKubeconfig(file, { cluster: { ...byFile }, clientCertificateFile: '/c', clientKeyFile: '/k' });
    // Go's client would refuse it too; the file says what the bootstrap one said.
    await expect(readKubeconfig(file)).rejects.toThrow('insecure flag');
  });
});

describe('a kubeconfig is usable', () => {
  const startMs = Date.UTC(2026, 0, 1);
  let key = '';
  const certificate = (notAfterMs: number): string =>
    createSelfSignedCertificate({
      subject: { commonName: 'n' },
      privateKey: key,
      notBeforeMs: startMs,
      notAfterMs,
      usages: [],
    });
  const check = async (user: object): ReturnType<typeof checkKubeconfig> => {
    const file = join(folder, 'checked');
    await writeFile(file, kubeconfig({}, user));
    return checkKubeconfig(file, startMs + 1000);
  };
  beforeAll(async () => {
    key = await generatePrivateKey();
  });

  it('while its certificates live', async () => {
    const good = certificate(startMs + 2000);
    const pem = join(folder, 'client.pem');
    await writeFile(pem, good + key);
    expect(await check({ 'client-certificate': pem, 'client-key': pem })).toMatchObject({ usable: true });
    const data = { 'client-certificate-data': base64(good), 'client-key-data': base64(key) };
    expect(await check(data)).toMatchObject({ usable: true, kubeconfig: { contextName: 'x' } });
    const chain = base64(good + certificate(startMs + 500));
    expect(await check({ ...data, 'client-certificate-data': chain })).toMatchObject({
      usable: false,
      reason: expect.stringContaining('is expired: 2026-01-01T00:00:00.000Z') as unknown,
    });
    expect(await check({ ...data, 'client-key-data': base64(await generatePrivateKey()) })).toMatchObject({
      usable: false,
      reason: expect.stringContaining('is not that of the client certificate') as unknown,
    });
  });

  it.each([
    ['unable to read TLS certificates', { token: 't' }],
    ['unable to load TLS configuration', { 'client-certificate': '/none', 'client-key': '/none' }],
    ['unable to read TLS certificates', { 'client-certificate-data': base64('x'), 'client-key-data': base64('x') }],
    ['unable to read existing bootstrap client config', { 'client-certificate': '/none' }],
  ])('but not when: %s', async (reason, user) => {
    expect(await check(user)).toMatchObject({
      usable: false,
      missing: false,
      reason: expect.stringContaining(reason) as unknown,
    });
  });

  it('nor when it is not there', async () => {
    expect(await checkKubeconfig(join(folder, 'none'), startMs)).toMatchObject({ usable: false, missing: true });
  });
});
