import { describe, expect, it } from '@jest/globals';
import { runtimeClasses, type Informer, type KubeClient, type KubeObject } from '@podwright/kube-client-interface';
import { describeRuntimeClassesContract } from '@podwright/runtime-class-interface/contract';
import { MemoryOfflineObjects, TestCluster } from '@podwright/test-cluster';
import { createApiRuntimeClasses } from './api-runtime-classes.module.js';

/** An informer of runtime classes whose list comes when the spec says so. */
class ScriptedClasses {
  readonly store = new Map<string, KubeObject>();
  asked = '';
  started = 0;
  stopped = 0;
  transform: (object: KubeObject) => KubeObject = (object) => object;

  readonly inform = ((resource, options) => {
    this.asked = `${resource.group}/${resource.version}/${resource.plural}`;
    this.transform = (options?.transform ?? this.transform) as typeof this.transform;
    const informer: Partial<Informer<KubeObject>> = {
      start: () => void (this.started += 1),
      stop: async () => void (this.stopped += 1),
      get: (_namespace, name) => this.store.get(name),
    };
    return informer as never;
  }) as KubeClient['inform'];

  list(classes: Readonly<Record<string, string>>): void {
    this.store.clear();
    for (const [name, handler] of Object.entries(classes)) {
      const object = { metadata: { name, annotations: { large: 'x' } }, handler, overhead: { podFixed: { cpu: '1' } } };
      this.store.set(name, this.transform(object));
    }
  }
}

describeRuntimeClassesContract('ApiRuntimeClasses', async () => {
  const client = new ScriptedClasses();
  return {
    runtimeClasses: createApiRuntimeClasses({ client }),
    known: async () => client.list({ sandboxed: 'runsc', plain: '' }),
  };
});

describe('ApiRuntimeClasses', () => {
  it('follows the API server', async () => {
    const client = new ScriptedClasses();
    const classes = createApiRuntimeClasses({ client });
    await classes.start();
    await classes.start();
    expect(client.asked).toBe('node.k8s.io/v1/runtimeclasses');
    expect(() => classes.handlerOf('gvisor')).toThrow('runtimeclass.node.k8s.io "gvisor" not found');
    client.list({ gvisor: 'runsc' });
    expect(classes.handlerOf('gvisor')).toBe('runsc');
    client.list({ gvisor: 'runsc-kvm' });
    expect(classes.handlerOf('gvisor')).toBe('runsc-kvm');
    client.list({});
    expect(() => classes.handlerOf('gvisor')).toThrow('not found');
    await classes.stop();
    await classes.stop();
    expect(client.stopped).toBe(2);
  });

  it('keeps of a class what names the handler', async () => {
    const client = new ScriptedClasses();
    await createApiRuntimeClasses({ client }).start();
    client.list({ gvisor: 'runsc' });
    expect(client.store.get('gvisor')).toEqual({ metadata: { name: 'gvisor' }, handler: 'runsc' });
  });

  it('gives the classes of before until the first list', async () => {
    const cluster = new TestCluster();
    const offline = new MemoryOfflineObjects(cluster.clock);
    const administrator = cluster.client();
    await administrator.create(runtimeClasses, { metadata: { name: 'gvisor' }, handler: 'runsc' });
    const first = createApiRuntimeClasses({ client: cluster.client(), offline });
    await first.start();
    await cluster.clock.advance(1_000);
    await first.stop();
    cluster.server.stop();
    const classes = createApiRuntimeClasses({ client: cluster.client(), offline });
    await classes.start();
    expect([classes.handlerOf('gvisor'), offline.inUse]).toEqual(['runsc', ['RuntimeClassList /']]);
    expect(() => classes.handlerOf('kata')).toThrow('not found');
    cluster.server.start();
    await administrator.delete(runtimeClasses, { name: 'gvisor' });
    await cluster.clock.advance(60_000);
    expect(() => classes.handlerOf('gvisor')).toThrow('not found');
    expect(offline.inUse).toEqual([]);
    await classes.stop();
    await cluster.stop();
  });
});
