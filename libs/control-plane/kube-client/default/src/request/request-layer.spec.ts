import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { leases, nodes, pods, type CallOptions } from '@podwright/kube-client-interface';
import { ScriptedTransport, type ScriptedHandler } from '@podwright/kube-client-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { KubeClientConfig } from '../kube-client-config.js';
import { createKubeClient } from '../kube-client.module.js';
import { readBody } from './read-body.js';
import { resourcePath } from './resource-path.js';
import { warningTexts } from './server-warnings.js';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ns', name: 'a' } };
const target = { namespace: 'ns', name: 'a' };

function setUp(answer: ScriptedHandler, options: Partial<KubeClientConfig> = {}) {
  const [clock, logger, metrics] = [new VirtualClock(), createMemoryLogger(), createMetricsRegistry()];
  const transport = new ScriptedTransport(answer);
  const client = createKubeClient({ transport, clock, random: createSeededRandom('1'), logger, metrics }, options);
  return { clock, logger, metrics, transport, client };
}

describe('resourcePath', () => {
  it.each([
    [resourcePath(nodes), '/api/v1/nodes'],
    [resourcePath(nodes, { name: 'n', subresource: 'status' }), '/api/v1/nodes/n/status'],
    [
      resourcePath(pods, { namespace: 'ns', name: 'a', subresource: 'eviction' }),
      '/api/v1/namespaces/ns/pods/a/eviction',
    ],
    [resourcePath(pods), '/api/v1/pods'],
    [resourcePath(leases, { namespace: 'l' }), '/apis/coordination.k8s.io/v1/namespaces/l/leases'],
    [
      resourcePath(pods, {}, { fieldSelector: "spec.nodeName=n,a!='b c'", limit: 5, continue: undefined, watch: true }),
      '/api/v1/pods?fieldSelector=spec.nodeName%3Dn%2Ca%21%3D%27b+c%27&limit=5&watch=true',
    ],
  ])('%s', (made, wanted) => expect(made).toBe(wanted));

  it.each([
    ['.', 'invalid resource name ".": [may not be \'.\']'],
    ['..', 'invalid resource name "..": [may not be \'..\']'],
    ['a/b', 'invalid resource name "a/b": [may not contain \'/\']'],
    ['a%2fb', 'invalid resource name "a%2fb": [may not contain \'%\']'],
  ])('refuses the name %s', (name, message) => {
    expect(() => resourcePath(nodes, { name })).toThrow(message);
  });
});

describe('requests', () => {
  it('have the headers of a client that speaks JSON', async () => {
    const { client, transport } = setUp(() => ({ body: pod }), { userAgent: 'kubelet/v9 (linux/amd64) kubernetes/x' });
    await client.get(pods, target);
    const common = { accept: 'application/json, */*', 'user-agent': 'kubelet/v9 (linux/amd64) kubernetes/x' };
    expect(transport.requests.shift()).toEqual({
      method: 'GET',
      path: '/api/v1/namespaces/ns/pods/a',
      headers: common,
    });
    for (const [type, contentType] of [
      ['merge', 'application/merge-patch+json'],
      ['strategic-merge', 'application/strategic-merge-patch+json'],
    ] as const) {
      await client.patch(pods, target, { type, body: { a: 1 } }, { subresource: 'status' });
      expect(transport.requests.shift()).toEqual({
        method: 'PATCH',
        path: '/api/v1/namespaces/ns/pods/a/status',
        headers: { ...common, 'content-type': contentType },
        body: '{"a":1}',
      });
    }
    await client.delete(pods, target, { gracePeriodSeconds: 0, preconditions: { uid: 'u' } });
    expect(JSON.parse(String(transport.requests[0]?.body))).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
    });
  });

  it.each<[Partial<KubeClientConfig>, CallOptions, number]>([
    [{ qps: 0, burst: 0 }, {}, 10],
    [{ qps: 1, burst: 3 }, {}, 3],
    [{ qps: 1, burst: 3 }, { budget: 'status' }, 3],
    [{ eventQps: 0, eventBurst: 7 }, { budget: 'events' }, 7],
    [{ qps: -1, burst: 1 }, {}, 40],
  ])('go through at once as %j with %j says', async (options, callOptions, count) => {
    const { client, clock, transport } = setUp(() => ({ body: pod }), options);
    const calls = Promise.all(Array.from({ length: 40 }, () => client.get(pods, target, callOptions)));
    await clock.advance(0);
    expect(transport.requests).toHaveLength(count);
    await clock.advance(60_000);
    await calls;
  });

  it('that wait for more than a second are said, once in ten seconds', async () => {
    const { client, clock, logger } = setUp(() => ({ body: pod }), { qps: 1, burst: 1 });
    const calls = Promise.all(Array.from({ length: 22 }, () => client.get(pods, target)));
    await clock.advance(30_000);
    await calls;
    const lines = logger.entries.filter(({ message }) => message === 'Waited before sending request');
    expect(lines.filter(({ level }) => level === 0)).toHaveLength(2);
    expect(lines.find(({ level }) => level === 0)?.fields).toEqual({
      delay: '2s',
      reason: 'client-side throttling, not priority and fairness',
      verb: 'GET',
      URL: 'https://api.test:6443/api/v1/namespaces/ns/pods/a',
    });
  });

  it('are counted and measured', async () => {
    let answers = 0;
    const { client, clock, metrics } = setUp(() => {
      if (++answers === 3) throw new KubeletError('connect ECONNREFUSED', { code: 'unavailable' });
      return answers === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { body: pod };
    });
    const call = client.create(pods, pod as never);
    await clock.advance(1_000);
    await call;
    await expect(client.get(pods, target)).rejects.toThrow('ECONNREFUSED');
    const text = await metrics.render();
    for (const line of [
      'rest_client_requests_total{code="200",host="api.test:6443",method="POST"} 1',
      'rest_client_requests_total{code="429",host="api.test:6443",method="POST"} 1',
      'rest_client_requests_total{code="<error>",host="api.test:6443",method="GET"} 1',
      'rest_client_request_retries_total{code="200",host="api.test:6443",verb="POST"} 1',
      'rest_client_request_duration_seconds_sum{host="api.test:6443",verb="POST"} 1',
      'rest_client_request_duration_seconds_count{host="api.test:6443",verb="GET"} 1',
      'rest_client_rate_limiter_duration_seconds_count{host="api.test:6443",verb="POST"} 2',
      'rest_client_request_size_bytes_count{host="api.test:6443",verb="POST"} 2',
      'rest_client_request_size_bytes_bucket{host="api.test:6443",verb="GET",le="64"} 1',
      'rest_client_response_size_bytes_count{host="api.test:6443",verb="POST"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  it('that find no server are said once, and that it is back', async () => {
    let away = true;
    const { client, clock, logger } = setUp(() => {
      if (away) throw new KubeletError('connect ECONNREFUSED', { code: 'unavailable' });
      return { body: pod };
    });
    await client.start();
    for (let count = 0; count < 5; count++) await client.get(pods, target).catch(() => undefined);
    expect(logger.messages('error')).toHaveLength(1);
    expect(client.healthy()).toMatchObject({ ok: true, detail: expect.stringContaining('ECONNREFUSED') });
    away = false;
    await clock.advance(90_000);
    for (let count = 0; count < 5; count++) await client.get(pods, target);
    expect(logger.messages('error')).toHaveLength(1);
    expect(logger.entries.filter(({ severity, level }) => severity === 'info' && level === 0)).toEqual([
      expect.objectContaining({
        message: 'The API server answers again',
        fields: { server: 'https://api.test:6443', after: '1m30s' },
      }),
    ]);
    expect(client.healthy()).toEqual({ ok: true });
  });

  it('that the transport gives up find no server, those that the caller gives up say nothing of it', async () => {
    const handshake = new KubeletError('net/http: TLS handshake timeout', { code: 'deadline-exceeded' });
    const { client, logger, transport, clock } = setUp(() => Promise.reject(handshake));
    await expect(client.get(pods, target)).rejects.toMatchObject({ code: 'unavailable' });
    expect(logger.messages('error')).toHaveLength(1);
    logger.clear();
    transport.answer = () => undefined;
    const slow = client.get(pods, target).catch((error: unknown) => error);
    await clock.advance(30_000);
    expect(await slow).toMatchObject({ code: 'deadline-exceeded' });
    expect(logger.messages('error')).toEqual([]);
  });

  it('say the warnings of the server once each', async () => {
    const { client, logger } = setUp(() => ({ body: pod, headers: { warning: '299 - "v1 Foo is deprecated"' } }));
    for (let count = 0; count < 3; count++) await client.get(pods, target);
    expect(logger.messages('warning')).toEqual(['v1 Foo is deprecated']);
  });
});

describe('warningTexts', () => {
  it.each([
    ['299 - "a"', ['a']],
    ['299 - "a", 299 kubernetes "b \\"c\\"", 199 - "d"', ['a', 'b "c"']],
    ['299 - "a" "Mon, 01 Jan 2026 00:00:00 GMT", 299 - "b"', ['a', 'b']],
    ['rubbish', []],
    ['299 - ""', []],
  ])('%s', (header, texts) => expect(warningTexts(header)).toEqual(texts));
});

describe('readBody', () => {
  it('has a limit', async () => {
    async function* body() {
      for (;;) yield Buffer.alloc(10);
    }
    await expect(readBody(body(), 35)).rejects.toMatchObject({ code: 'resource-exhausted' });
  });
});
