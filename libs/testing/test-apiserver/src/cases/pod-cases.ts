import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCaller, type Body } from './api-caller.js';
import { kubeletOf, uniqueName, type CaseServer } from './case-server.js';

/** Tests pods: defaults, deletion, binding, eviction, tokens. */
export function describePodCases(create: () => Promise<CaseServer>): void {
  describe('pods', () => {
    let server: CaseServer;
    let admin: ApiCaller;
    let kubelet: ApiCaller;
    let namespace = '';
    let path = '';
    const node = uniqueName('node');
    const pod = (name: string, spec: object = {}): object => ({
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    });

    beforeAll(async () => {
      server = await create();
      admin = new ApiCaller(server.transport());
      kubelet = new ApiCaller(server.transport(kubeletOf(node)));
      namespace = uniqueName('pods');
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      // For servers without the controller that creates it.
      await admin.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
      await admin.post('/api/v1/nodes', { metadata: { name: node } });
      path = `/api/v1/namespaces/${namespace}/pods`;
    });
    afterAll(async () => {
      await admin.delete(`${path}?gracePeriodSeconds=0`);
      await admin.delete(`/api/v1/nodes/${node}`);
      await admin.delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    it('get defaults', async () => {
      const { body } = await admin.post(path, pod('defaults'));
      expect(body).toMatchObject({
        metadata: { generation: 1 },
        spec: {
          restartPolicy: 'Always',
          serviceAccountName: 'default',
          priority: 0,
          preemptionPolicy: 'PreemptLowerPriority',
          tolerations: [
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
            { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          ],
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      });
      const [volume] = (body.spec as { volumes: { name: string; projected: { sources: object[] } }[] }).volumes;
      expect(volume?.name).toMatch(/^kube-api-access-/);
      expect(volume?.projected.sources).toMatchObject([
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt' } },
        { downwardAPI: {} },
      ]);
    });

    it.each([
      [
        'without containers',
        pod('bad', { containers: [] }),
        422,
        'Pod "bad" is invalid: spec.containers: Required value',
      ],
      [
        'with an unknown priority class',
        pod('bad', { priorityClassName: 'none' }),
        403,
        'pods "bad" is forbidden: no PriorityClass with name none was found',
      ],
      [
        'with an unknown runtime class',
        pod('bad', { runtimeClassName: 'none' }),
        403,
        'pods "bad" is forbidden: pod rejected: RuntimeClass "none" not found',
      ],
      [
        'with an unknown service account',
        pod('bad', { serviceAccountName: 'none' }),
        403,
        () =>
          `pods "bad" is forbidden: error looking up service account ${namespace}/none: serviceaccount "none" not found`,
      ],
    ])('are refused %s', async (_how, body, status, message) => {
      const text = typeof message === 'string' ? message : message();
      expect(await admin.post(path, body)).toMatchObject({ status, body: { message: text } });
    });

    it('have the number of a priority class', async () => {
      const { body } = await admin.post(path, pod('critical', { priorityClassName: 'system-node-critical' }));
      expect(body.spec).toMatchObject({ priority: 2_000_001_000 });
    });

    it('may have another image but no other command', async () => {
      const { body } = await admin.post(path, pod('updated'));
      const [container] = (body.spec as { containers: object[] }).containers;
      const changed = (fields: object): object => ({
        ...body,
        metadata: { ...body.metadata, resourceVersion: undefined },
        spec: { ...(body.spec as object), containers: [{ ...container, ...fields }] },
      });
      const renamed = await admin.put(`${path}/updated`, changed({ image: 'j' }));
      expect(renamed).toMatchObject({ status: 200, body: { metadata: { generation: 2 } } });
      const refused = await admin.put(`${path}/updated`, changed({ command: ['x'] }));
      expect(refused).toMatchObject({ status: 422 });
      expect(refused.body.message).toContain(
        'Pod "updated" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
      );
    });

    it('are resized within their QoS class', async () => {
      const requests = (cpu: string): object => ({
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }],
      });
      await admin.post(path, pod('resized', requests('1')));
      await admin.post(path, pod('best-effort'));
      const resize = (name: string): ReturnType<typeof admin.patch> =>
        admin.patch('strategic', `${path}/${name}/resize`, { spec: requests('2') });
      expect(await resize('resized')).toMatchObject({
        status: 200,
        body: { spec: { containers: [{ resources: { requests: { cpu: '2' } } }] } },
      });
      expect(await resize('best-effort')).toMatchObject({
        status: 422,
        body: {
          message: expect.stringContaining(
            'spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
          ),
        },
      });
    });

    it('go at once when no node has them', async () => {
      await admin.post(path, pod('unbound'));
      expect((await admin.delete(`${path}/unbound`)).status).toBe(200);
      expect((await admin.get(`${path}/unbound`)).status).toBe(404);
    });

    it('stay for their grace period on a node, which can become shorter, and go when the kubelet says so', async () => {
      await admin.post(path, pod('bound', { nodeName: node }));
      const { body } = await admin.delete(`${path}/bound`);
      expect(body.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, generation: 2 });
      const shorter = await admin.delete(`${path}/bound`, { gracePeriodSeconds: 5 });
      expect(shorter.body.metadata?.deletionGracePeriodSeconds).toBe(5);
      const longer = await admin.delete(`${path}/bound`, { gracePeriodSeconds: 60 });
      expect(longer.body.metadata?.deletionGracePeriodSeconds).toBe(5);
      const uid = body.metadata?.uid;
      expect((await kubelet.delete(`${path}/bound`, { gracePeriodSeconds: 0, preconditions: { uid } })).status).toBe(
        200,
      );
      expect((await admin.get(`${path}/bound`)).status).toBe(404);
    });

    it('are seen with a grace of 0 before they go', async () => {
      await admin.post(path, pod('forced', { nodeName: node }));
      const { body } = await admin.get(path);
      const query = `${path}?watch=1&fieldSelector=metadata.name%3Dforced&resourceVersion=${body.metadata?.resourceVersion}`;
      const events = await admin.watch(query, 2, () => admin.delete(`${path}/forced`, { gracePeriodSeconds: 0 }));
      expect(events.map(({ type, object }) => [type, object.metadata?.deletionGracePeriodSeconds])).toEqual([
        ['MODIFIED', 0],
        ['DELETED', 0],
      ]);
    });

    it('are bound once', async () => {
      await admin.post(path, pod('binding'));
      const binding = { metadata: { name: 'binding' }, target: { kind: 'Node', name: node } };
      expect(await admin.post(`${path}/binding/binding`, binding)).toMatchObject({ status: 201 });
      expect((await admin.get(`${path}/binding`)).body).toMatchObject({
        spec: { nodeName: node },
        status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
      });
      expect(await admin.post(`${path}/binding/binding`, binding)).toMatchObject({
        status: 409,
        body: {
          message: `Operation cannot be fulfilled on pods/binding "binding": pod binding is already assigned to node "${node}"`,
        },
      });
    });

    it('are evicted', async () => {
      await admin.post(path, pod('evicted', { nodeName: node }));
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted', namespace } };
      expect(await admin.post(`${path}/evicted/eviction`, eviction)).toMatchObject({ status: 201 });
      const { body } = await admin.get(`${path}/evicted`);
      expect(body.metadata?.deletionGracePeriodSeconds).toBe(30);
      const { conditions } = body.status as { conditions: Body[] };
      expect(conditions).toContainEqual(
        expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }),
      );
    });

    it.each([
      ['GET', 'binding'],
      ['GET', 'eviction'],
      ['DELETE', 'status'],
    ] as const)('do not know %s of their %s', async (method, subresource) => {
      await admin.post(path, pod(`no-${subresource}`));
      const asked = `${path}/no-${subresource}/${subresource}`;
      const answer = await (method === 'GET' ? admin.get(asked) : admin.delete(asked));
      expect(answer).toMatchObject({ status: 405, body: { reason: 'MethodNotAllowed' } });
      expect(await admin.get(`${path}/no-${subresource}`)).toMatchObject({ status: 200 });
    });

    it('have tokens that are bound to them', async () => {
      const { body } = await admin.post(path, pod('token', { nodeName: node }));
      const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'token', uid: body.metadata?.uid };
      const spec = { boundObjectRef, expirationSeconds: 3607 };
      const given = await kubelet.post(`${accounts}/default/token`, { spec });
      expect(given).toMatchObject({ status: 201, body: { kind: 'TokenRequest' } });
      const { token } = given.body.status as { token: string };
      const review = (): Promise<{ body: Body }> =>
        admin.post('/apis/authentication.k8s.io/v1/tokenreviews', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: { token },
        });
      expect((await review()).body.status).toMatchObject({
        authenticated: true,
        user: {
          username: `system:serviceaccount:${namespace}:default`,
          extra: { 'authentication.kubernetes.io/pod-name': ['token'] },
        },
      });
      const short = await kubelet.post(`${accounts}/default/token`, { spec: { ...spec, expirationSeconds: 599 } });
      expect(short).toMatchObject({
        status: 422,
        body: {
          message:
            'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
        },
      });
    });
  });
}
