import { describe, expect, it } from '@jest/globals';
import { services } from '@podwright/kube-client-interface';
import type { Service } from '@podwright/kube-types';
import { MemoryOfflineObjects, TestCluster } from '@podwright/test-cluster';
import { createApiServices } from './api-services.module.js';

const service = (namespace: string, name: string, clusterIP: string): Service => ({
  metadata: { namespace, name, annotations: { long: 'text' } },
  spec: { clusterIP, selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] },
});
const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const ports = [{ name: 'http', port: 80, protocol: 'TCP' }];

describe('ApiServices', () => {
  it('gives the services of a namespace and of the master namespace, as they are now', async () => {
    const cluster = new TestCluster();
    const administrator = cluster.client();
    for (const name of ['prod', 'other']) await administrator.create(namespaces, { metadata: { name } });
    await administrator.create(services, service('prod', 'web', '10.96.0.5'));
    await administrator.create(services, service('prod', 'headless', 'None'));
    await administrator.create(services, service('other', 'db', '10.96.0.6'));
    const source = createApiServices({ client: cluster.client({ name: 'system:node:n1', groups: ['system:nodes'] }) });
    expect([source.hasSynced(), source.list('prod')]).toEqual([false, []]);
    await source.start();
    await cluster.clock.advance(1_000);
    expect(source.hasSynced()).toBe(true);
    const names = (): string[] => source.list('prod').map(({ namespace, name }) => `${namespace}/${name}`);
    expect(names().sort()).toEqual(['default/kubernetes', 'prod/web']);
    expect(source.list('prod').find(({ name }) => name === 'web')).toEqual({
      namespace: 'prod',
      name: 'web',
      clusterIp: '10.96.0.5',
      ports,
    });
    await administrator.create(services, service('prod', 'new', '10.96.0.7'));
    await administrator.delete(services, { namespace: 'prod', name: 'web' });
    await cluster.clock.advance(1_000);
    expect(names().sort()).toEqual(['default/kubernetes', 'prod/new']);
    await source.stop();
    await cluster.stop();
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  it('keeps nothing but what variables are made of', () => {
    const transforms: unknown[] = [];
    createApiServices({
      client: {
        inform: (_resource, options) => {
          transforms.push(options?.transform);
          return {} as never;
        },
      },
    });
    const [transform] = transforms as ((object: Service) => Service)[];
    const kept = transform?.(service('prod', 'web', '10.96.0.5'));
    expect(kept).toEqual({ metadata: { namespace: 'prod', name: 'web' }, spec: { clusterIP: '10.96.0.5', ports } });
  });

  it('gives the services of before while the server is away, until its first list', async () => {
    const cluster = new TestCluster();
    const offline = new MemoryOfflineObjects(cluster.clock);
    const administrator = cluster.client();
    await administrator.create(services, service('default', 'web', '10.96.0.5'));
    const start = async (): Promise<ReturnType<typeof createApiServices>> => {
      const source = createApiServices({ client: cluster.client(), offline });
      await source.start();
      return source;
    };
    const first = await start();
    await cluster.clock.advance(1_000);
    await first.stop();
    cluster.server.stop();
    const source = await start();
    await cluster.clock.advance(9_000);
    expect([source.hasSynced(), source.list('default')]).toEqual([false, []]);
    await cluster.clock.advance(3_000);
    const names = (): string[] => source.list('prod').map(({ name }) => name);
    expect([source.hasSynced(), names().sort()]).toEqual([true, ['kubernetes', 'web']]);
    expect(source.list('prod').find(({ name }) => name === 'web')).toMatchObject({ clusterIp: '10.96.0.5', ports });
    expect(offline.inUse).toEqual(['ServiceList /']);
    cluster.server.start();
    await administrator.delete(services, { namespace: 'default', name: 'web' });
    await cluster.clock.advance(60_000);
    expect([source.hasSynced(), names(), offline.inUse]).toEqual([true, ['kubernetes'], []]);
    await source.stop();
    await cluster.stop();
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});
