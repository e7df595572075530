import type { KubeClient, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import type { ObjectStore } from './object-store.js';
import { slimObject } from './slim-object.js';

/**
 * Reads from the API server each time. Source: kubernetes v1.36 pkg/kubelet/secret/secret_manager.go
 * NewSimpleSecretManager.
 */
export class DirectObjects<T extends KubeObject> implements ObjectStore<T> {
  constructor(
    private readonly client: Pick<KubeClient, 'get'>,
    private readonly resource: ResourceType<T>,
  ) {}

  async get(namespace: string, name: string): Promise<T> {
    return slimObject(await this.client.get(this.resource, { namespace, name }));
  }

  start(): void {
    // Nothing runs between reads.
  }

  async stop(): Promise<void> {
    // Nothing runs between reads.
  }

  addReference(): void {
    // Nothing is cached.
  }

  deleteReference(): void {
    // Nothing is cached.
  }
}
