import { KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, runtimeClasses, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { RuntimeClass } from '@podwright/kube-types';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import { inject, injectable } from 'tsyringe';

/**
 * {@link RuntimeClasses} of the API server. Until the first list has come, and for a class that does not exist, a pod fails
 * and is tried again; while the server is away what was known last counts.
 */
@injectable()
export class ApiRuntimeClasses implements RuntimeClasses {
  private informer: Informer<RuntimeClass> | undefined;

  constructor(@inject(KUBE_CLIENT) private readonly client: Pick<KubeClient, 'inform'>) {}

  async start(): Promise<void> {
    this.informer ??= this.client.inform(runtimeClasses, { transform: slim });
    this.informer.start();
  }

  async stop(): Promise<void> {
    await this.informer?.stop();
  }

  handlerOf(runtimeClassName = ''): string {
    if (runtimeClassName === '') return '';
    const found = this.informer?.get('', runtimeClassName);
    if (found !== undefined) return found.handler;
    // As upstream's lister says it, before the first list too.
    throw new KubeletError(`runtimeclass.node.k8s.io "${runtimeClassName}" not found`, { code: 'not-found' });
  }
}

// Overhead and scheduling are put into pods by the API server's admission.
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

/** Makes one without a container. */
export function createApiRuntimeClasses({
  client,
}: {
  readonly client: Pick<KubeClient, 'inform'>;
}): ApiRuntimeClasses {
  return new ApiRuntimeClasses(client);
}
