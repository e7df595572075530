import { describe, expect, it } from '@podwright/contract';
import { hasCode, type ErrorCode } from '@podwright/errors';
import type { ConfigMap, ServiceAccount } from '@podwright/kube-types';
import type { KubeClient } from '../kube-client.js';
import { configMaps, nodes, pods, type KubeObject, type ResourceType } from '../resource-type.js';

/** A started client with administrator rights, of a server that has the namespaces `default` and `kube-system`. */
export interface KubeClientHarness {
  readonly kubeClient: KubeClient;
  /** Advances the clock of the client and the server. */
  advance(ms: number): Promise<void>;
  /** Number of timers that client and server have set and that are not due yet. */
  pendingTimers(): number;
}

const serviceAccounts: ResourceType<ServiceAccount> = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};

const configMap = (name: string, more: Partial<ConfigMap> = {}): ConfigMap => ({
  metadata: { namespace: 'default', name, ...more.metadata },
  data: { key: 'value' },
});

/** Every implementation of {@link KubeClient} passes this suite; `create` gives a new client and server per case. */
export function describeKubeClientContract(name: string, create: () => Promise<KubeClientHarness>): void {
  describe(`${name} as a KubeClient`, () => {
    it('can be stopped twice, then refuses calls', async () => {
      const { kubeClient } = await create();
      await Promise.all([kubeClient.stop(), kubeClient.stop()]);
      const error = await failure(kubeClient.get(nodes, { name: 'a' }));
      expect(error).toMatchObject({ name: 'KubeApiError', code: 'cancelled' });
    });

    it('is healthy and names its server', async () => {
      const { kubeClient } = await create();
      expect(kubeClient.healthy()).toMatchObject({ ok: true });
      expect(kubeClient.server).not.toBe('');
    });

    it('makes, reads, changes and deletes an object', async () => {
      const { kubeClient } = await create();
      const target = { namespace: 'default', name: 'a' };
      const created = await kubeClient.create(configMaps, configMap('a'));
      expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: target, data: { key: 'value' } });
      expect(await kubeClient.get(configMaps, target)).toEqual(created);
      expect(await kubeClient.get(configMaps, target, { resourceVersion: '0' })).toEqual(created);
      const updated = await kubeClient.update(configMaps, { ...created, data: { key: 'other' } });
      expect(updated.data).toEqual({ key: 'other' });
      expect(updated.metadata?.resourceVersion).not.toBe(created.metadata?.resourceVersion);
      await kubeClient.delete(configMaps, target);
      expect(hasCode(await failure(kubeClient.get(configMaps, target)), 'not-found')).toBe(true);
    });

    it('deletes all objects that the selectors name, and no others', async () => {
      const { kubeClient } = await create();
      const left = async (): Promise<readonly (string | undefined)[]> =>
        (await kubeClient.list(configMaps)).items
          .filter(({ data }) => data?.['key'] !== undefined)
          .map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)
          .sort();
      const labels = { app: 'web' };
      for (const [index, namespace] of ['default', 'default', 'kube-system'].entries())
        await kubeClient.create(configMaps, configMap(`labelled-${index}`, { metadata: { namespace, labels } }));
      for (const object of ['a', 'b']) await kubeClient.create(configMaps, configMap(object));
      await kubeClient.deleteCollection(configMaps, { namespace: 'default', labelSelector: 'app=web' });
      expect(await left()).toEqual(['default/a', 'default/b', 'kube-system/labelled-2']);
      await kubeClient.deleteCollection(configMaps, { namespace: 'default', fieldSelector: 'metadata.name=b' });
      expect(await left()).toEqual(['default/a', 'kube-system/labelled-2']);
      await kubeClient.deleteCollection(configMaps, { namespace: 'default', fieldSelector: 'metadata.name=b' });
    });

    it.each([
      ['json', { type: 'json', operations: [{ op: 'add', path: '/data/new', value: 'x' }] }],
      ['merge', { type: 'merge', body: { data: { new: 'x' } } }],
      ['strategic-merge', { type: 'strategic-merge', body: { data: { new: 'x' } } }],
    ] as const)('patches with a %s patch', async (_type, patch) => {
      const { kubeClient } = await create();
      await kubeClient.create(configMaps, configMap('a'));
      const patched = await kubeClient.patch(configMaps, { namespace: 'default', name: 'a' }, patch);
      expect(patched.data).toEqual({ key: 'value', new: 'x' });
    });

    it('changes a subresource alone', async () => {
      const { kubeClient } = await create();
      await kubeClient.create(nodes, { metadata: { name: 'n' } });
      const body = { spec: { unschedulable: true }, status: { nodeInfo: { kubeletVersion: 'v1' } } };
      const patch = { type: 'strategic-merge', body } as const;
      const patched = await kubeClient.patch(nodes, { name: 'n' }, patch, { subresource: 'status', budget: 'status' });
      expect(patched.status?.nodeInfo?.kubeletVersion).toBe('v1');
      expect(patched.spec).not.toHaveProperty('unschedulable');
    });

    it('posts to a subresource, whose answer is of another kind', async () => {
      const { kubeClient } = await create();
      const account = { namespace: 'default', name: 'robot' };
      await kubeClient.create(serviceAccounts, { metadata: account });
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'] } };
      const target = { ...account, subresource: 'token' };
      const answer = await kubeClient.createSubresource<KubeObject & { status?: { token?: string } }>(
        serviceAccounts,
        target,
        request as KubeObject,
      );
      expect(answer.kind).toBe('TokenRequest');
      expect(answer.status?.token).toEqual(expect.any(String));
    });

    it('lists page by page, by namespace and by selectors', async () => {
      const { kubeClient } = await create();
      for (const each of ['a', 'b', 'c']) {
        await kubeClient.create(configMaps, configMap(each, { metadata: { labels: { name: each } } }));
      }
      const names = async (options: Parameters<KubeClient['list']>[1]): Promise<readonly unknown[]> =>
        (await kubeClient.list(configMaps, options)).items.map(({ metadata }) => metadata?.name);
      expect(await names({ namespace: 'default', labelSelector: 'name', limit: 1 })).toEqual(['a', 'b', 'c']);
      expect(await names({ namespace: 'default', labelSelector: 'name', limit: 0 })).toEqual(['a', 'b', 'c']);
      expect(await names({ namespace: 'kube-system', labelSelector: 'name in (a,b)' })).toEqual([]);
      expect(await names({ labelSelector: 'name in (a,b)' })).toEqual(['a', 'b']);
      expect(await names({ fieldSelector: 'metadata.name=c' })).toEqual(['c']);
      const { metadata, items } = await kubeClient.list(configMaps, { namespace: 'default' });
      expect(metadata.resourceVersion).toMatch(/^\d+$/);
      expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    });

    it.each<[string, (client: KubeClient) => Promise<unknown>, ErrorCode, string | undefined, string]>([
      [
        'not found',
        (client) => client.get(pods, { namespace: 'default', name: 'x' }),
        'not-found',
        'NotFound',
        'pods "x" not found',
      ],
      [
        'already there',
        async (client) => {
          await client.create(configMaps, configMap('a'));
          await client.create(configMaps, configMap('a'));
        },
        'already-exists',
        'AlreadyExists',
        'configmaps "a" already exists',
      ],
      [
        'changed meanwhile',
        async (client) => {
          const old = await client.create(configMaps, configMap('a'));
          await client.update(configMaps, { ...old, data: {} });
          await client.update(configMaps, { ...old, data: { b: 'c' } });
        },
        'aborted',
        'Conflict',
        'the object has been modified; please apply your changes to the latest version and try again',
      ],
      [
        'a path that leads elsewhere',
        (client) => client.get(pods, { namespace: 'default', name: '../../x' }),
        'invalid-argument',
        undefined,
        'invalid resource name',
      ],
      [
        'no name',
        (client) => client.get(nodes, { name: '' }),
        'invalid-argument',
        undefined,
        'resource name may not be empty',
      ],
      [
        'no namespace',
        (client) => client.create(configMaps, { metadata: { name: 'a' } }),
        'invalid-argument',
        undefined,
        'an empty namespace may not be set during creation',
      ],
    ])('refuses with a KubeApiError: %s', async (_name, call, code, reason, message) => {
      const { kubeClient } = await create();
      const error = await failure(call(kubeClient));
      expect(error.name).toBe('KubeApiError');
      expect(hasCode(error, code)).toBe(true);
      expect((error as { reason?: string }).reason).toBe(reason);
      expect(error.message).toContain(message);
    });

    it('reads any path as text', async () => {
      const { kubeClient } = await create();
      expect(await kubeClient.getText('/healthz')).toBe('ok');
      expect(hasCode(await failure(kubeClient.getText('/no/such/path')), 'not-found')).toBe(true);
    });

    it('leaves no timer behind a call', async () => {
      const { kubeClient, pendingTimers } = await create();
      const before = pendingTimers();
      await kubeClient.list(pods);
      await failure(kubeClient.get(nodes, { name: 'x' }));
      expect(pendingTimers()).toBe(before);
    });
  });
}

/** Resolves with the error that a call rejects with. */
export async function failure(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  throw new Error('the call was expected to fail');
}
