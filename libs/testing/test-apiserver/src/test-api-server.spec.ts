import { describe, expect, it } from '@jest/globals';
import { createCertificateRequest, generatePrivateKey, readCertificate } from '@podwright/x509';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ApiCaller, type Body } from './cases/api-caller.js';
import { kubeletOf } from './cases/case-server.js';
import { createTestApiServer, type TestApiServer, type TestApiServerOptions } from './test-api-server.js';

const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

function setUp(options: Partial<TestApiServerOptions> = {}): {
  readonly clock: VirtualClock;
  readonly server: TestApiServer;
  readonly admin: ApiCaller;
} {
  const clock = new VirtualClock();
  const server = createTestApiServer({ clock, random: createSeededRandom('apiserver'), ...options });
  return { clock, server, admin: new ApiCaller(server.transport()) };
}

describe('time and history', () => {
  it('tells watches below the window that they are too late', async () => {
    const { server, admin } = setUp();
    const { body } = await admin.get(configMaps);
    await admin.post(configMaps, { metadata: { name: 'a' } });
    server.compact();
    const [event] = await admin.watch(`${configMaps}?watch=1&resourceVersion=${body.metadata?.resourceVersion}`, 1);
    expect(event).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(event?.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
  });

  it('forgets the oldest of many changes', async () => {
    const { admin } = setUp({ historyLength: 4 });
    const { body } = await admin.post(configMaps, { metadata: { name: 'a' } });
    for (let index = 0; index < 10; index++)
      await admin.patch('merge', `${configMaps}/a`, { data: { x: String(index) } });
    const query = `${configMaps}?watch=1&resourceVersion=${body.metadata?.resourceVersion}`;
    expect((await admin.watch(query, 1))[0]?.type).toBe('ERROR');
  });

  it('gives an expired page a token for the rest', async () => {
    const { server, admin } = setUp();
    for (const name of ['a', 'b', 'c']) await admin.post(configMaps, { metadata: { name } });
    const first = await admin.get(`${configMaps}?limit=1`);
    await admin.delete(`${configMaps}/c`);
    server.compact();
    const query = (token = ''): string => `${configMaps}?limit=10&continue=${encodeURIComponent(token)}`;
    const expired = await admin.get(query(first.body.metadata?.continue));
    expect(expired).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const rest = await admin.get(query(expired.body.metadata?.continue));
    expect(rest.body.items?.map(({ metadata }) => metadata?.name)).toEqual(['b', 'kube-root-ca.crt']);
  });

  it('sends bookmarks each minute and before the end, then ends', async () => {
    const { clock, server } = setUp();
    const request = {
      method: 'GET' as const,
      path: `${configMaps}?watch=1&resourceVersion=1000&allowWatchBookmarks=true&timeoutSeconds=150`,
      headers: {},
    };
    const { body } = await server.transport().send(request, new AbortController().signal);
    const seen: number[] = [];
    const startedAt = clock.now();
    const reading = (async () => {
      for await (const chunk of body) if (chunk.byteLength > 0) seen.push(clock.now() - startedAt);
      return clock.now() - startedAt;
    })();
    await clock.advance(200_000);
    expect(seen).toEqual([60_000, 120_000, 148_000]);
    expect(await reading).toBeLessThanOrEqual(200_000);
  });

  it('waits three seconds for a version of the future', async () => {
    const { clock, admin } = setUp();
    const asked = admin.get(`${configMaps}?resourceVersion=100000`);
    await clock.advance(3_000);
    expect(await asked).toMatchObject({ status: 504, body: { reason: 'Timeout' } });
  });
});

describe('what the server does by itself', () => {
  it('empties a namespace that is deleted', async () => {
    const { admin } = setUp();
    await admin.post('/api/v1/namespaces', { metadata: { name: 'x' } });
    await admin.post('/api/v1/namespaces/x/pods', pod('a', { nodeName: 'n1' }));
    expect((await admin.delete('/api/v1/namespaces/x')).body.status).toMatchObject({ phase: 'Terminating' });
    expect(await admin.post('/api/v1/namespaces/x/configmaps', { metadata: { name: 'late' } })).toMatchObject({
      status: 403,
      body: {
        message:
          'configmaps "late" is forbidden: unable to create new content in namespace x because it is being terminated',
      },
    });
    await admin.delete('/api/v1/namespaces/x/pods/a', { gracePeriodSeconds: 0 });
    expect((await admin.get('/api/v1/namespaces/x')).status).toBe(404);
  });

  it('deletes what has lost its owner', async () => {
    const { admin } = setUp();
    const { body } = await admin.post('/api/v1/nodes', { metadata: { name: 'n1' } });
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: body.metadata?.uid }];
    await admin.post(leases, { metadata: { name: 'n1', ownerReferences }, spec: {} });
    await admin.delete('/api/v1/nodes/n1');
    expect((await admin.get(`${leases}/n1`)).status).toBe(404);
  });

  it('deletes the pods of a node that is gone for 40 s', async () => {
    const { admin, clock } = setUp();
    await admin.post('/api/v1/nodes', { metadata: { name: 'n1' } });
    await admin.post(pods, pod('a', { nodeName: 'n1' }));
    await admin.delete('/api/v1/nodes/n1');
    await clock.advance(39_999);
    expect((await admin.get(`${pods}/a`)).status).toBe(200);
    await clock.advance(1);
    expect((await admin.get(`${pods}/a`)).status).toBe(404);
  });

  it('forgets events after an hour', async () => {
    const { admin, clock } = setUp();
    const events = '/api/v1/namespaces/default/events';
    await admin.post(events, { metadata: { name: 'a' }, involvedObject: {}, count: 1 });
    await clock.advance(3_599_000);
    expect((await admin.get(`${events}/a`)).status).toBe(200);
    await clock.advance(61_000);
    expect((await admin.get(`${events}/a`)).status).toBe(404);
  });

  it('schedules to a node that is ready, when told to', async () => {
    const { admin } = setUp({ schedule: true });
    await admin.post(pods, pod('a'));
    const conditions = async (): Promise<Body> => (await admin.get(`${pods}/a`)).body;
    expect(await conditions()).toMatchObject({
      status: {
        conditions: [{ type: 'PodScheduled', reason: 'Unschedulable', message: 'no nodes available to schedule pods' }],
      },
    });
    await admin.post('/api/v1/nodes', { metadata: { name: 'n1' } });
    expect(await conditions()).toMatchObject({
      status: {
        conditions: [
          { message: '0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.' },
        ],
      },
    });
    await admin.patch('strategic', '/api/v1/nodes/n1/status', {
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect(await conditions()).toMatchObject({
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
  });

  it.each([
    ['by itself', 'client', undefined, true],
    ['not without approval', 'none', undefined, false],
    ['once approved', 'none', 'Approved', true],
    ['not when denied', 'client', 'Denied', false],
  ] as const)('signs a certificate for a kubelet %s', async (_how, approve, decision, signed) => {
    const { server, admin } = setUp({ approve: decision === 'Denied' ? 'none' : approve });
    const kubelet = new ApiCaller(server.transport(kubeletOf('n1')));
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const subject = { commonName: 'system:node:n1', organizations: ['system:nodes'] };
    const request = createCertificateRequest({ subject, privateKey: await generatePrivateKey() });
    const spec = {
      request: Buffer.from(request).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
      expirationSeconds: 3_600,
    };
    await kubelet.post(path, { metadata: { name: 'csr' }, spec });
    if (decision !== undefined) {
      const conditions = [{ type: decision, status: 'True', reason: 'x', message: 'x' }];
      await admin.patch('merge', `${path}/csr/approval`, { status: { conditions } });
    }
    const { certificate } = (await kubelet.get(`${path}/csr`)).body.status as { certificate?: string };
    expect(certificate !== undefined).toBe(signed);
    if (certificate === undefined) return;
    const issued = readCertificate(Buffer.from(certificate, 'base64').toString());
    expect(issued.subject).toEqual(subject);
    expect(issued.notAfterMs - issued.notBeforeMs).toBe(3_600_000 + 300_000);
  });

  it('does not sign a kubelet a certificate of another node', async () => {
    const { server } = setUp();
    const subject = { commonName: 'system:node:n2', organizations: ['system:nodes'] };
    const request = createCertificateRequest({ subject, privateKey: await generatePrivateKey() });
    const answer = await new ApiCaller(server.transport(kubeletOf('n1'))).post(
      '/apis/certificates.k8s.io/v1/certificatesigningrequests',
      {
        metadata: { name: 'csr' },
        spec: {
          request: Buffer.from(request).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
          usages: ['digital signature', 'client auth'],
        },
      },
    );
    expect(answer).toMatchObject({ status: 403 });
    expect(answer.body.message).toContain('can only create a node CSR with CN=system:node:n1');
  });
});

describe('access', () => {
  it.each(['/healthz', '/livez', '/readyz', '/version'])('lets everybody see %s', async (path) => {
    const { server } = setUp();
    const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    expect(await new ApiCaller(server.transport(anonymous)).get(path)).toMatchObject({ status: 200 });
    expect(await new ApiCaller(server.transport(anonymous)).get('/api/v1/pods')).toMatchObject({
      status: 403,
      body: {
        message:
          'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
      },
    });
  });

  it('answers access reviews', async () => {
    const { admin } = setUp();
    const review = async (user: string, groups: readonly string[]): Promise<unknown> =>
      (
        await admin.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
          spec: {
            user,
            groups,
            resourceAttributes: { verb: 'get', resource: 'nodes', subresource: 'proxy', name: 'n1' },
          },
        })
      ).body.status;
    expect(await review('root', ['system:masters'])).toEqual({ allowed: true });
    expect(await review('nobody', ['system:authenticated'])).toEqual({ allowed: false });
  });

  it('grants what it was told, to users and groups', async () => {
    const { server, admin } = setUp({
      grants: [
        { to: { group: 'monitoring' }, verbs: ['get'], resources: ['nodes/metrics'] },
        { to: { user: 'jane' }, verbs: ['*'], resources: ['pods'] },
      ],
    });
    const review = async (verb: string, subresource: string, groups = ['monitoring']): Promise<unknown> => {
      const spec = { user: 'x', groups, resourceAttributes: { verb, resource: 'nodes', subresource, name: 'n1' } };
      return (await admin.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })).body.status;
    };
    expect(await review('get', 'metrics')).toEqual({ allowed: true });
    expect(await review('create', 'metrics')).toEqual({ allowed: false });
    expect(await review('get', 'stats')).toEqual({ allowed: false });
    expect(await review('get', 'metrics', ['others'])).toEqual({ allowed: false });
    const jane = new ApiCaller(server.transport({ name: 'jane', groups: ['system:authenticated'] }));
    expect(await jane.post(pods, pod('a'))).toMatchObject({ status: 201 });
    expect(await jane.get(configMaps)).toMatchObject({ status: 403 });
  });

  it('forgets a token with its pod', async () => {
    const { admin } = setUp();
    const { body } = await admin.post(pods, pod('a'));
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: body.metadata?.uid };
    const account = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const { status } = (await admin.post(account, { spec: { boundObjectRef } })).body as { status: { token: string } };
    const review = async (): Promise<unknown> =>
      (await admin.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: status.token } })).body.status;
    expect(await review()).toMatchObject({ authenticated: true });
    await admin.delete(`${pods}/a`);
    expect(await review()).toMatchObject({
      error: '[service account token has been invalidated, invalid bearer token]',
    });
  });
});
