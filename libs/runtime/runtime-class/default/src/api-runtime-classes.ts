import { needs, pick, type Needs } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, runtimeClasses, type Informer } from '@podwright/kube-client-interface';
import type { RuntimeClass } from '@podwright/kube-types';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';

export const apiRuntimeClassesNeeds = needs({
  client: pick(KUBE_CLIENT, 'inform'),
});

/**
 * {@link RuntimeClasses} from the API server. Before the first list, and for a class that does not exist, a lookup
 * fails and the pod retries. While the API server is down, the last known classes apply.
 */
export class ApiRuntimeClasses implements RuntimeClasses {
  private informer: Informer<RuntimeClass> | undefined;

  constructor(private readonly deps: Needs<typeof apiRuntimeClassesNeeds>) {}

  async start(): Promise<void> {
    this.informer ??= this.deps.client.inform(runtimeClasses, { transform: slim });
    this.informer.start();
  }

  async stop(): Promise<void> {
    await this.informer?.stop();
  }

  handlerOf(runtimeClassName = ''): string {
    if (runtimeClassName === '') return '';
    const found = this.informer?.get('', runtimeClassName);
    if (found !== undefined) return found.handler;
    // Same text as upstream's lister, before the first list too.
    throw new KubeletError(`runtimeclass.node.k8s.io "${runtimeClassName}" not found`, { code: 'not-found' });
  }
}

// Keeps only these fields: the API server's admission applies overhead and scheduling to pods.
function slim({ apiVersion, kind, metadata, handler }: RuntimeClass): RuntimeClass {
  const { name, resourceVersion, uid } = metadata ?? {};
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    handler,
    metadata: {
      ...(name !== undefined && { name }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(uid !== undefined && { uid }),
    },
  };
}
