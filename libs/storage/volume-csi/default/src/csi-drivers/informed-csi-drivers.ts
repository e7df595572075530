import type { Lifecycle } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import { csiDrivers, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { CsiDriver } from '@podwright/kube-types';
import type { CsiDriverObjects } from './csi-driver-objects.js';

/** {@link CsiDriverObjects} from an informer; `start()` does not wait for the API server. */
export class InformedCsiDrivers implements CsiDriverObjects, Lifecycle {
  private readonly listeners = new Set<(name: string) => void>();
  private informer: Informer<CsiDriver> | undefined;
  private stopped = false;

  constructor(private readonly client: Pick<KubeClient, 'inform'>) {}

  async start(): Promise<void> {
    if (this.informer !== undefined || this.stopped) return;
    this.informer = this.client.inform(csiDrivers);
    this.informer.watch((change) => {
      if (change.type !== 'replaced') this.changed(change.object.metadata?.name ?? '');
    });
    this.informer.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.informer?.stop();
  }

  get(name: string): CsiDriver | undefined {
    const found = this.informer?.get('', name);
    if (found !== undefined || this.informer?.hasSynced() === true) return found;
    throw new KubeletError('the CSIDriver informer has not synced yet', { code: 'unavailable' });
  }

  watch(listener: (name: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(name: string): void {
    for (const listener of this.listeners) listener(name);
  }
}
