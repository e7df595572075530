import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSelfSignedCertificate, generatePrivateKey } from '@podwright/x509';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright explain', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const path of ['/explain/pods/default/web', '/explain/pods/shop/web', '/explain/node']) {
      api.answers.set(path, ({ url }, response) => response.end(`explained: ${url}\n`));
    }
    api.answers.set('/explain/pods/default/none', (_, response) => {
      response.writeHead(404).end('404 page not found\n');
    });
  });
  afterEach(() => api.stop());

  it.each([
    ['explain pod web', '/explain/pods/default/web?output=text'],
    ['explain po/web', '/explain/pods/default/web?output=text'],
    ['explain pods web -n shop -ojson', '/explain/pods/shop/web?output=json'],
    ['explain pod web --uid=one', '/explain/pods/default/web?output=text&uid=one'],
    ['explain node', '/explain/node?output=text'],
    ['explain node vm', '/explain/node?output=text&node=vm'],
  ])('%s asks the kubelet and prints its page', async (line, url) => {
    expect(await shell.run(line)).toEqual({ code: 0, out: `explained: ${url}\n`, err: '' });
  });

  it('fails for a node that is not that of the kubelet', async () => {
    api.answers.set('/explain/node', (_, response) => response.writeHead(404).end('this is the kubelet of node vm\n'));
    const err = 'this is the kubelet of node vm\n';
    expect(await shell.run('explain node other')).toEqual({ code: 1, out: '', err });
  });

  it('fails for a pod that the kubelet does not know, with its page on stderr', async () => {
    const page = 'Pod default/gone  (unknown)\nThis node has no pod default/gone.';
    api.answers.set('/explain/pods/default/gone', (_, response) => response.writeHead(404).end(`${page}\n`));
    expect(await shell.run('explain pod gone')).toEqual({ code: 1, out: '', err: `${page}\n` });
  });

  it.each([
    ['explain', 'You must specify what to explain: pod NAME or node'],
    ['explain secret a', 'You must specify what to explain: pod NAME or node'],
    ['explain pod', 'explain pod needs a name'],
    ['explain pod a b', 'explain takes a type and at most one name'],
    ['explain pod web --node=n1', '--node needs --kubeconfig'],
    ['explain node --uid=one', '--uid is for pods'],
    [
      'explain pod none',
      'this kubelet does not explain: it is another one, or its assembly file omits @podwright/explain',
    ],
    ['explain pod web --kubeconfig=/no/such/file', '--kubeconfig /no/such/file: '],
  ])('refuses %s', async (line, message) => {
    const { code, out, err } = await shell.run(line);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
  });
});

describe('podwright explain --kubeconfig', () => {
  const shell = new TestShell('/no/such/socket');
  const seen: string[] = [];
  const nodeNames: Readonly<Record<string, string>> = { web: 'n1', pending: '' };
  let dir: string;
  let server: Server;
  let kubeconfig: string;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-explain-'));
    const privateKey = await generatePrivateKey();
    const certificate = createSelfSignedCertificate({
      ...{ subject: { commonName: 'api' }, ipAddresses: ['127.0.0.1'], dnsNames: [], privateKey },
      usages: ['digital signature', 'server auth'],
      ...{ notBeforeMs: Date.UTC(2020, 0), notAfterMs: Date.UTC(2120, 0) },
    });
    server = createServer({ cert: certificate, key: privateKey }, ({ url = '', headers }, response) => {
      seen.push(`${headers.authorization} ${url}`);
      const name = /^\/api\/v1\/namespaces\/shop\/pods\/(\w+)$/.exec(url)?.[1];
      const nodeName = nodeNames[name ?? ''];
      if (url.includes('/proxy/')) return response.end('explained\n');
      if (nodeName === undefined) {
        const status = { kind: 'Status', code: 404, reason: 'NotFound', message: 'not found', details: { name } };
        return response.writeHead(404).end(JSON.stringify(status));
      }
      return response.end(JSON.stringify({ spec: { nodeName } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const cluster = {
      server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'certificate-authority-data': Buffer.from(certificate).toString('base64'),
    };
    kubeconfig = path.join(dir, 'config');
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'x' },
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token: 'secret' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    };
    await writeFile(kubeconfig, JSON.stringify(config));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(dir, { recursive: true });
  });

  it.each([
    ['pod web', ['/api/v1/namespaces/shop/pods/web', '/api/v1/nodes/n1/proxy/explain/pods/shop/web?output=text']],
    ['pod gone --node=n2', ['/api/v1/nodes/n2/proxy/explain/pods/shop/gone?output=text']],
    ['node n1', ['/api/v1/nodes/n1/proxy/explain/node?output=text']],
  ])('explain %s asks the node through the API server', async (line, urls) => {
    seen.length = 0;
    const ran = await shell.run(`explain ${line} --kubeconfig=${kubeconfig}`);
    expect([ran, seen]).toEqual([{ code: 0, out: 'explained\n', err: '' }, urls.map((url) => `Bearer secret ${url}`)]);
  });

  it.each([
    ['pod gone', 'the API server has no pod shop/gone; ask the node that had it with --node NODE'],
    ['pod pending', 'pod shop/pending is not scheduled, so no node knows it'],
    ['node', 'explain node needs a name, or --node, with --kubeconfig'],
  ])('explain %s says what is missing', async (line, message) => {
    const { code, err } = await shell.run(`explain ${line} --kubeconfig=${kubeconfig}`);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });
});
