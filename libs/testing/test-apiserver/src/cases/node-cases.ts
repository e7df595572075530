import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCaller, type Answer } from './api-caller.js';
import { kubeletOf, uniqueName, type CaseServer } from './case-server.js';

/** Tests what a kubelet may and may not do, with the real server's messages. */
export function describeNodeCases(create: () => Promise<CaseServer>): void {
  describe('a kubelet', () => {
    let server: CaseServer;
    let admin: ApiCaller;
    let kubelet: ApiCaller;
    let namespace = '';
    let nodeUid = '';
    const node = uniqueName('own');
    const other = uniqueName('other');
    const pod = (name: string, nodeName: string, spec: object = {}): object => ({
      metadata: { name },
      spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
    });
    const inNamespace = (path: string): string => `/api/v1/namespaces/${namespace}/${path}`;
    const user = `User "system:node:${node}"`;
    const unrelated = `no relationship found between node '${node}' and this object`;

    beforeAll(async () => {
      server = await create();
      admin = new ApiCaller(server.transport());
      kubelet = new ApiCaller(server.transport(kubeletOf(node)));
      namespace = uniqueName('nodes');
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      await admin.post(inNamespace('serviceaccounts'), { metadata: { name: 'default' } });
      nodeUid = (await kubelet.post('/api/v1/nodes', { metadata: { name: node } })).body.metadata?.uid ?? '';
      await admin.post('/api/v1/nodes', { metadata: { name: other } });
      for (const name of ['mine', 'theirs', 'nobodys'])
        await admin.post(inNamespace('secrets'), { metadata: { name } });
      await admin.post(inNamespace('configmaps'), { metadata: { name: 'mine' } });
      const envFrom = [{ secretRef: { name: 'mine' } }, { configMapRef: { name: 'mine' } }];
      await admin.post(inNamespace('pods'), pod('mine', node, { containers: [{ name: 'c', image: 'i', envFrom }] }));
      const theirs = { containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 'theirs' } }] }] };
      await admin.post(inNamespace('pods'), pod('theirs', other, theirs));
    });
    afterAll(async () => {
      await admin.delete(`${inNamespace('pods')}?gracePeriodSeconds=0`);
      await admin.delete(`/api/v1/nodes/${node}`);
      await admin.delete(`/api/v1/nodes/${other}`);
      await admin.delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    const allowed: readonly (readonly [string, () => Promise<Answer>])[] = [
      ['its node', () => kubelet.get(`/api/v1/nodes/${node}`)],
      ['its node by a list', () => kubelet.get(`/api/v1/nodes?fieldSelector=metadata.name%3D${node}`)],
      ['its pods', () => kubelet.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`)],
      ['one of its pods', () => kubelet.get(inNamespace('pods/mine'))],
      ['a secret of its pods', () => kubelet.get(inNamespace('secrets/mine'))],
      ['a secret of its pods by a list', () => kubelet.get(inNamespace('secrets?fieldSelector=metadata.name%3Dmine'))],
      ['a config map of its pods', () => kubelet.get(inNamespace('configmaps/mine'))],
      ['services', () => kubelet.get('/api/v1/services')],
      ['runtime classes', () => kubelet.get('/apis/node.k8s.io/v1/runtimeclasses')],
      ['CSI drivers', () => kubelet.get('/apis/storage.k8s.io/v1/csidrivers')],
    ];
    it.each(allowed)('reads %s', async (_what, call) => {
      expect(await call()).toMatchObject({ status: 200 });
    });

    const refused: readonly (readonly [string, () => Promise<Answer>, () => string])[] = [
      [
        'all pods',
        () => kubelet.get('/api/v1/pods'),
        () =>
          `pods is forbidden: ${user} cannot list resource "pods" in API group "" at the cluster scope: can only list/watch pods with spec.nodeName field selector`,
      ],
      [
        'a pod of another node',
        () => kubelet.get(inNamespace('pods/theirs')),
        () =>
          `pods "theirs" is forbidden: ${user} cannot get resource "pods" in API group "" in the namespace "${namespace}": ${unrelated}`,
      ],
      [
        'a secret of another node',
        () => kubelet.get(inNamespace('secrets/theirs')),
        () =>
          `secrets "theirs" is forbidden: ${user} cannot get resource "secrets" in API group "" in the namespace "${namespace}": ${unrelated}`,
      ],
      [
        'all secrets',
        () => kubelet.get(inNamespace('secrets')),
        () =>
          `secrets is forbidden: ${user} cannot list resource "secrets" in API group "" in the namespace "${namespace}": No Object name found`,
      ],
      [
        'another node',
        () => kubelet.get(`/api/v1/nodes/${other}`),
        () =>
          `nodes "${other}" is forbidden: ${user} cannot get resource "nodes" in API group "" at the cluster scope: node '${node}' cannot read '${other}', only its own Node object`,
      ],
      [
        'all nodes',
        () => kubelet.get('/api/v1/nodes'),
        () =>
          `nodes is forbidden: ${user} cannot list resource "nodes" in API group "" at the cluster scope: node '${node}' cannot read all nodes, only its own Node object`,
      ],
      [
        'a lease elsewhere',
        () => kubelet.get(`/apis/coordination.k8s.io/v1/namespaces/default/leases/${node}`),
        () =>
          `leases.coordination.k8s.io "${node}" is forbidden: ${user} cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "default": can only access leases in the "kube-node-lease" system namespace`,
      ],
      [
        'namespaces',
        () => kubelet.get('/api/v1/namespaces/default'),
        () =>
          `namespaces "default" is forbidden: ${user} cannot get resource "namespaces" in API group "" in the namespace "default"`,
      ],
      [
        'status of another node, to write',
        () => kubelet.patch('strategic', `/api/v1/nodes/${other}/status`, { status: {} }),
        () => `nodes "${other}" is forbidden: node "${node}" is not allowed to modify node "${other}"`,
      ],
      [
        'its taints, to write',
        () =>
          kubelet.patch('merge', `/api/v1/nodes/${node}`, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }),
        () => `nodes "${node}" is forbidden: node "${node}" is not allowed to modify taints`,
      ],
      [
        'a label of the control plane, to write',
        () =>
          kubelet.patch('merge', `/api/v1/nodes/${node}`, {
            metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } },
          }),
        () => `nodes "${node}" is forbidden: is not allowed to modify labels: node-role.kubernetes.io/control-plane`,
      ],
      [
        'an ordinary pod, to make',
        () => kubelet.post(inNamespace('pods'), pod('ordinary', node, { serviceAccountName: 'default' })),
        () =>
          `pods "ordinary" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "${node}" can only create mirror pods`,
      ],
      [
        'a mirror pod without its node as owner, to make',
        () =>
          kubelet.post(inNamespace('pods'), {
            ...pod('mirror', node),
            metadata: { name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' } },
          }),
        () => `pods "mirror" is forbidden: node "${node}" can only create pods with an owner reference set to itself`,
      ],
      [
        'the status of a pod of another node, to write',
        () => kubelet.patch('strategic', inNamespace('pods/theirs/status'), { status: { phase: 'Running' } }),
        () =>
          `pods "theirs" is forbidden: node "${node}" can only update pod status for pods with spec.nodeName set to itself`,
      ],
      [
        'a pod of another node, to delete',
        () => kubelet.delete(inNamespace('pods/theirs')),
        () => `pods "theirs" is forbidden: node "${node}" can only delete pods with spec.nodeName set to itself`,
      ],
      [
        'a token without a pod',
        () => kubelet.post(inNamespace('serviceaccounts/default/token'), { spec: {} }),
        () => `serviceaccounts "default" is forbidden: node requested token not bound to a pod`,
      ],
    ];
    it.each(refused)('is refused %s', async (_what, call, message) => {
      expect(await call()).toMatchObject({ status: 403, body: { reason: 'Forbidden', message: message() } });
    });

    it('makes a mirror pod', async () => {
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: node, uid: nodeUid, controller: true }];
      const annotations = { 'kubernetes.io/config.mirror': 'x', 'kubernetes.io/config.source': 'file' };
      const mirror = { ...pod('mirror', node), metadata: { name: 'mirror', annotations, ownerReferences } };
      const { status, body } = await kubelet.post(inNamespace('pods'), mirror);
      expect(status).toBe(201);
      expect(body.spec).not.toHaveProperty('serviceAccountName');
    });

    it('keeps its lease', async () => {
      const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
      const lease = { metadata: { name: node }, spec: { holderIdentity: node, leaseDurationSeconds: 40 } };
      const made = await kubelet.post(leases, lease);
      expect(made.status).toBe(201);
      expect((await kubelet.put(`${leases}/${node}`, made.body)).status).toBe(200);
      expect((await kubelet.get(`${leases}/${node}`)).status).toBe(200);
    });

    it('reports the status of its pod', async () => {
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      const path = inNamespace('pods/mine/status');
      expect(await kubelet.patch('strategic', path, { status })).toMatchObject({ status: 200, body: { status } });
      const { body } = await kubelet.patch('strategic', path, {
        status: { conditions: [{ type: 'Ready', status: 'False' }] },
      });
      expect(body.status).toMatchObject({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] });
    });
  });
}
