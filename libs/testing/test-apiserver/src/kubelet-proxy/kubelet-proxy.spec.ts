import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { createSeededRandom, createSystemClock } from '@podwright/time';
import { generatePrivateKey, createSelfSignedCertificate } from '@podwright/x509';
import { createTestApiServer, type ApiListener, type TestApiServer } from '../index.js';

const admin = { name: 'kubernetes-admin', groups: ['system:masters'] };

interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

let server: TestApiServer;
let listener: ApiListener;
let credentials: Credentials;
let kubelet: https.Server;
let kubeletHost: string | undefined;
let seen: { path: string; subject: string }[];

beforeEach(async () => {
  kubeletHost = undefined;
  server = createTestApiServer({
    ...{ clock: createSystemClock(), random: createSeededRandom('proxy') },
    kubeletHost: () => kubeletHost,
  });
  listener = await server.listen();
  credentials = credentialsOf(listener.kubeconfig(admin));
  seen = [];
  kubelet = await fakeKubelet();
});

afterEach(async () => {
  await listener.stop();
  kubelet.closeAllConnections();
  await new Promise((resolve) => kubelet.close(resolve));
});

describe('requests that go on to a kubelet', () => {
  it('reach it with the path of its own API and the certificate of the server', async () => {
    await makePod((kubelet.address() as AddressInfo).port);
    const log = await ask('GET', '/api/v1/namespaces/default/pods/web/log?follow=true&tailLines=5');
    expect(log).toMatchObject({ status: 200, text: 'the log\n' });
    const stats = await ask('GET', '/api/v1/nodes/n1/proxy/stats/summary?only_cpu=true');
    expect(stats).toMatchObject({ status: 200, text: 'the log\n' });
    const missing = await ask('GET', '/api/v1/namespaces/default/pods/web/log?container=other');
    expect(missing.text).toContain('container other is not valid for pod web');
    const subject = 'kube-apiserver-kubelet-client system:masters';
    expect(seen).toEqual([
      { path: '/containerLogs/default/web/c?follow=true&tailLines=5', subject },
      { path: '/stats/summary?only_cpu=true', subject },
    ]);
  });

  it.each([
    ['debug/evictions/', '/debug/evictions/'],
    ['logs/a%20b%2Fc%3F/', '/logs/a%20b%2Fc%3F/'],
    ['', '/'],
  ])('keep the path below a proxy as it came: %s', async (asked, sent) => {
    await makePod((kubelet.address() as AddressInfo).port);
    expect(await ask('GET', `/api/v1/nodes/n1/proxy/${asked}`)).toMatchObject({ status: 200, text: 'the log\n' });
    expect(seen.map(({ path }) => path)).toEqual([sent]);
  });

  it('go to where kubelets listen when that is not the address of the node', async () => {
    await makePod((kubelet.address() as AddressInfo).port, '192.0.2.2');
    kubeletHost = '127.0.0.1';
    const log = await ask('GET', '/api/v1/namespaces/default/pods/web/log');
    expect(log).toMatchObject({ status: 200, text: 'the log\n' });
  });

  it('are refused for the proxy of a pod, which is not served', async () => {
    await makePod((kubelet.address() as AddressInfo).port);
    const refusal = { status: 404, text: expect.stringContaining('the server could not find the requested resource') };
    expect(await ask('GET', '/api/v1/namespaces/default/pods/web/proxy/')).toMatchObject(refusal);
    expect(seen).toEqual([]);
  });

  it('say what is wrong when no kubelet listens', async () => {
    const port = await closedPort();
    await makePod(port);
    expect(await ask('GET', '/api/v1/namespaces/default/pods/web/log')).toMatchObject({
      status: 500,
      text: expect.stringContaining(
        `Get \\"https://127.0.0.1:${port}/containerLogs/default/web/c\\": dial tcp 127.0.0.1:${port}: connect: connection refused`,
      ),
    });
    expect(await ask('GET', '/api/v1/nodes/n1/proxy/pods')).toMatchObject({
      status: 503,
      text: expect.stringContaining(
        `error trying to reach service: dial tcp 127.0.0.1:${port}: connect: connection refused`,
      ),
    });
    const refused = await upgrade('/api/v1/namespaces/default/pods/web/exec?command=ls&stdout=true');
    expect(refused).toContain(`error dialing backend: dial tcp 127.0.0.1:${port}: connect: connection refused`);
  });

  it('are tunnelled byte by byte when they leave HTTP', async () => {
    await makePod((kubelet.address() as AddressInfo).port);
    const answer = await upgrade(
      '/api/v1/namespaces/default/pods/web/exec?command=echo&command=a+b&stdin=true&stdout=true',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(answer).toMatch(/ping from the client$/);
    expect(seen[0]?.path).toBe('/exec/default/web/c?input=1&output=1&command=echo&command=a+b');
  });

  it('need somebody who may make them', async () => {
    await makePod((kubelet.address() as AddressInfo).port);
    const nobody = { ...credentials, cert: '', key: '' };
    expect(await ask('GET', '/api/v1/namespaces/default/pods/web/log', undefined, nobody)).toMatchObject({
      status: 403,
    });
    expect(seen).toEqual([]);
  });
});

async function fakeKubelet(): Promise<https.Server> {
  const key = await generatePrivateKey();
  const cert = createSelfSignedCertificate({
    privateKey: key,
    subject: { commonName: 'n1' },
    usages: ['server auth'],
    notBeforeMs: Date.UTC(2020, 0),
    notAfterMs: Date.UTC(2120, 0),
  });
  const fake = https.createServer({ key, cert, ca: server.caCertificate, requestCert: true }, (request, response) => {
    note(request.url ?? '', request.socket as tls.TLSSocket);
    response.end('the log\n');
  });
  fake.on('upgrade', (request, socket) => {
    note(request.url ?? '', socket as tls.TLSSocket);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
    socket.on('error', () => socket.destroy());
    socket.once('data', (data: Buffer) => socket.end(data));
  });
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  return fake;
}

function note(path: string, socket: tls.TLSSocket): void {
  const { CN, O } = socket.getPeerCertificate().subject;
  seen.push({ path, subject: `${String(CN)} ${String(O)}` });
}

async function makePod(port: number, address = '127.0.0.1'): Promise<void> {
  const addresses = [{ type: 'InternalIP', address }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
  await ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' }, status });
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  const created = await ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec });
  expect(created).toMatchObject({ status: 201 });
}

function ask(
  method: string,
  path: string,
  body?: unknown,
  as: Credentials = credentials,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const request = https.request(`${listener.url}${path}`, { method, headers, ...as, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** All that comes back until the other side closes. */
function upgrade(path: string): Promise<string> {
  const { port } = new URL(listener.url);
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port: Number(port), ...credentials });
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (chunk.toString().startsWith('HTTP/1.1 101')) socket.write('ping from the client');
    });
    socket.on('close', () => resolve(text));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`);
  });
}

async function closedPort(): Promise<number> {
  const { port } = kubelet.address() as AddressInfo;
  await new Promise((resolve) => kubelet.close(resolve));
  return port;
}

function credentialsOf(kubeconfig: string): Credentials {
  const config = JSON.parse(kubeconfig) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const text = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString();
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  return {
    ca: text(cluster['certificate-authority-data']),
    cert: text(user['client-certificate-data']),
    key: text(user['client-key-data']),
  };
}
