import { needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, runtimeClasses, type Informer } from '@podwright/kube-client-interface';
import type { RuntimeClass } from '@podwright/kube-types';
import { OFFLINE_OBJECTS, type OfflineCopy, type OfflineRef } from '@podwright/offline-objects-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';

export const apiRuntimeClassesNeeds = needs({
  client: pick(KUBE_CLIENT, 'inform'),
  /** With it, the classes of before apply until the first list. */
  offline: optional(OFFLINE_OBJECTS),
});

const savedList: OfflineRef = { kind: 'RuntimeClassList', namespace: '', name: '' };
interface SavedList {
  readonly items: readonly RuntimeClass[];
}

/**
 * {@link RuntimeClasses} from the API server. Before the first list, and for a class that does not exist, a lookup
 * fails and the pod retries, unless the classes were saved. While the API server is down, the last known classes apply.
 */
export class ApiRuntimeClasses implements RuntimeClasses {
  private informer: Informer<RuntimeClass> | undefined;
  private saved: OfflineCopy<SavedList> | undefined;

  constructor(private readonly deps: Needs<typeof apiRuntimeClassesNeeds>) {}

  async start(): Promise<void> {
    if (this.informer === undefined) {
      this.informer = this.deps.client.inform(runtimeClasses, { transform: slim });
      await this.readSaved(this.informer);
    }
    this.informer.start();
  }

  async stop(): Promise<void> {
    await this.informer?.stop();
  }

  handlerOf(runtimeClassName = ''): string {
    if (runtimeClassName === '') return '';
    const found = this.informer?.get('', runtimeClassName);
    if (found !== undefined) return found.handler;
    const saved = this.savedClass(runtimeClassName);
    if (saved !== undefined) return saved.handler;
    // Same text as upstream's lister, before the first list too.
    throw new KubeletError(`runtimeclass.node.k8s.io "${runtimeClassName}" not found`, { code: 'not-found' });
  }

  private async readSaved(informer: Informer<RuntimeClass>): Promise<void> {
    const { offline } = this.deps;
    if (offline === undefined) return;
    this.saved = await offline.get<SavedList>(savedList);
    informer.watch(() => {
      if (informer.hasSynced()) offline.keep(savedList, () => ({ items: informer.list() }));
    });
  }

  private savedClass(className: string): RuntimeClass | undefined {
    if (this.saved === undefined || this.informer?.hasSynced() !== false) return undefined;
    const found = this.saved.object.items.find(({ metadata }) => metadata?.name === className);
    if (found !== undefined) this.deps.offline?.use([this.saved]);
    return found;
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
