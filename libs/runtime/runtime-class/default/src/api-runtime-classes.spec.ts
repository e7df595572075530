import { describe, expect, it } from '@jest/globals';
import type { Informer, KubeClient, KubeObject } from '@podwright/kube-client-interface';
import { describeRuntimeClassesContract } from '@podwright/runtime-class-interface/contract';
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
});
