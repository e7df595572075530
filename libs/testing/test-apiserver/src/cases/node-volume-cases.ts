import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCaller, type Answer } from './api-caller.js';
import { kubeletOf, uniqueName, type CaseServer } from './case-server.js';

/** Tests what a kubelet may and may not do with volumes, with the real server's messages. */
export function describeNodeVolumeCases(create: () => Promise<CaseServer>): void {
  describe('a kubelet, about volumes,', () => {
    let server: CaseServer;
    let admin: ApiCaller;
    let kubelet: ApiCaller;
    const [node, other, namespace] = [uniqueName('own'), uniqueName('other'), uniqueName('volumes')];
    const driver = uniqueName('csi');
    const [mine, theirs] = [uniqueName('mine'), uniqueName('theirs')];
    const inNamespace = (path: string): string => `/api/v1/namespaces/${namespace}/${path}`;
    const storage = (path: string): string => `/apis/storage.k8s.io/v1/${path}`;
    const who = `User "system:node:${node}" cannot get resource`;
    const unrelated = `no relationship found between node '${node}' and this object`;
    const amount = { accessModes: ['ReadWriteOnce'] };

    async function addVolume(name: string, nodeName: string): Promise<void> {
      const claimRef = { namespace, name };
      const ref = (secret: string): object => ({ name: secret, namespace });
      const secrets = { nodeStageSecretRef: ref(`stage-${name}`), controllerPublishSecretRef: ref(`publish-${name}`) };
      const csi = { driver, volumeHandle: name, ...secrets };
      const capacity = { storage: '1Gi' };
      await admin.post('/api/v1/persistentvolumes', {
        metadata: { name },
        spec: { ...amount, capacity, claimRef, csi },
      });
      const spec = { ...amount, resources: { requests: capacity }, volumeName: name, storageClassName: '' };
      await admin.post(inNamespace('persistentvolumeclaims'), { metadata: { name }, spec });
      for (const secret of [`stage-${name}`, `publish-${name}`])
        await admin.post(inNamespace('secrets'), { metadata: { name: secret } });
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
      const pod = { nodeName, volumes, containers: [{ name: 'c', image: 'i' }] };
      await admin.post(inNamespace('pods'), { metadata: { name }, spec: pod });
      const attachment = { attacher: driver, nodeName, source: { persistentVolumeName: name } };
      await admin.post(storage('volumeattachments'), { metadata: { name }, spec: attachment });
    }

    beforeAll(async () => {
      server = await create();
      admin = new ApiCaller(server.transport());
      kubelet = new ApiCaller(server.transport(kubeletOf(node)));
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      await admin.post(inNamespace('serviceaccounts'), { metadata: { name: 'default' } });
      for (const name of [node, other]) await admin.post('/api/v1/nodes', { metadata: { name } });
      const tokenRequests = [{ audience: 'vault' }];
      await admin.post(storage('csidrivers'), { metadata: { name: driver }, spec: { tokenRequests } });
      await addVolume(mine, node);
      await addVolume(theirs, other);
    });
    afterAll(async () => {
      await admin.delete(`${inNamespace('pods')}?gracePeriodSeconds=0`);
      for (const name of [mine, theirs]) {
        await admin.delete(storage(`volumeattachments/${name}`));
        await admin.delete(inNamespace(`persistentvolumeclaims/${name}`));
        await admin.delete(`/api/v1/persistentvolumes/${name}`);
      }
      await admin.delete(storage(`csidrivers/${driver}`));
      for (const name of [node, other]) await admin.delete(`/api/v1/nodes/${name}`);
      await admin.delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    it.each<[string, () => string]>([
      ['the claim of its pod', () => inNamespace(`persistentvolumeclaims/${mine}`)],
      ['the volume of that claim', () => `/api/v1/persistentvolumes/${mine}`],
      ['the secret that stages it', () => inNamespace(`secrets/stage-${mine}`)],
      ['the attachment to its node', () => storage(`volumeattachments/${mine}`)],
    ])('reads %s', async (_what, path) => {
      expect(await kubelet.get(path())).toMatchObject({ status: 200 });
    });

    it('gets tokens of its pods for the audiences that the drivers of their claims ask for', async () => {
      const { uid } = (await admin.get(inNamespace(`pods/${mine}`))).body.metadata ?? {};
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: mine, uid };
      const ask = (audience: string): Promise<Answer> =>
        kubelet.post(inNamespace('serviceaccounts/default/token'), {
          metadata: {},
          spec: { audiences: [audience], boundObjectRef, expirationSeconds: 600 },
        });
      expect(await ask('vault')).toMatchObject({ status: 201 });
      expect(await ask('other')).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('audience "other" not found in pod spec volume') },
      });
    });

    it.each<[string, () => string, () => string]>([
      [
        'the claim of another node',
        () => inNamespace(`persistentvolumeclaims/${theirs}`),
        () =>
          `persistentvolumeclaims "${theirs}" is forbidden: ${who} "persistentvolumeclaims" in API group "" in the namespace "${namespace}": ${unrelated}`,
      ],
      [
        'the volume of another node',
        () => `/api/v1/persistentvolumes/${theirs}`,
        () =>
          `persistentvolumes "${theirs}" is forbidden: ${who} "persistentvolumes" in API group "" at the cluster scope: ${unrelated}`,
      ],
      [
        'the secret with which the controller attaches it',
        () => inNamespace(`secrets/publish-${mine}`),
        () =>
          `secrets "publish-${mine}" is forbidden: ${who} "secrets" in API group "" in the namespace "${namespace}": ${unrelated}`,
      ],
      [
        'the attachment to another node',
        () => storage(`volumeattachments/${theirs}`),
        () =>
          `volumeattachments.storage.k8s.io "${theirs}" is forbidden: ${who} "volumeattachments" in API group "storage.k8s.io" at the cluster scope: ${unrelated}`,
      ],
    ])('may not read %s', async (_what, path, message) => {
      const { status, body } = await kubelet.get(path());
      expect([status, body.message]).toEqual([403, message()]);
    });

    it('updates the size of a claim, and nothing else of it', async () => {
      const claim = inNamespace(`persistentvolumeclaims/${mine}`);
      const patch = (body: object): Promise<Answer> => kubelet.patch('strategic', `${claim}/status`, body);
      expect(await patch({ status: { capacity: { storage: '2Gi' } } })).toMatchObject({ status: 200 });
      const refusal = expect.stringContaining(
        `node "${node}" is not allowed to update fields other than status.quantity and status.conditions`,
      );
      expect(await patch({ status: { phase: 'Lost' } })).toMatchObject({ status: 403, body: { message: refusal } });
      const labels = { metadata: { labels: { a: 'b' } } };
      expect(await patch(labels)).toMatchObject({ status: 403, body: { message: refusal } });
      expect(await kubelet.patch('strategic', claim, labels)).toMatchObject({ status: 403 });
    });

    it('keeps its own CSINode and no other', async () => {
      const make = (name: string): Promise<Answer> =>
        kubelet.post(storage('csinodes'), { metadata: { name }, spec: { drivers: [] } });
      expect(await make(node)).toMatchObject({ status: 201 });
      const refusal = expect.stringContaining('can only access CSINode with the same name as the requesting node');
      expect(await make(other)).toMatchObject({ status: 403, body: { message: refusal } });
      expect(await kubelet.get(storage(`csinodes/${other}`))).toMatchObject({
        status: 403,
        body: { message: refusal },
      });
      expect(await kubelet.delete(storage(`csinodes/${node}`))).toMatchObject({ status: 200 });
    });
  });
}
