import { resourceSlices, type Informer } from '@podwright/kube-client-interface';
import { hasCode } from '@podwright/errors';
import type { ResourceSlice } from '@podwright/kube-types';
import type { DraDriverSettings } from '../test-dra-driver-options.js';

type Settings = Pick<DraDriverSettings, 'client' | 'devices' | 'name' | 'nodeName'>;

/** Keeps the driver's ResourceSlice in the API server; a kubelet deletes it at its start. */
export class PublishedSlice {
  private informer: Informer<ResourceSlice> | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    const { client, name, nodeName } = this.settings;
    const fieldSelector = `spec.nodeName=${nodeName},spec.driver=${name}`;
    const informer = client.inform(resourceSlices, { fieldSelector });
    this.informer = informer;
    informer.watch(({ type }) => {
      if (type !== 'added' && type !== 'updated' && informer.list().length === 0) this.publish();
    });
    informer.start();
  }

  /** The slice stays in the API server. */
  async stop(): Promise<void> {
    const { informer } = this;
    this.informer = undefined;
    await informer?.stop();
    await this.writing;
  }

  private publish(): void {
    const { client } = this.settings;
    this.writing = this.writing
      .then(async () => {
        if (this.informer !== undefined) await client.create(resourceSlices, this.slice());
      })
      .catch((error: unknown) => {
        if (!hasCode(error, 'already-exists')) this.onError(error);
      });
  }

  private slice(): ResourceSlice {
    const { devices, name, nodeName } = this.settings;
    return {
      ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: `${nodeName}-${name}` } },
      spec: {
        ...{ driver: name, nodeName },
        pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
        devices: devices.map(({ name: device, attributes = {} }) => ({
          name: device,
          attributes: Object.fromEntries(Object.entries(attributes).map(([key, text]) => [key, { string: text }])),
        })),
      },
    };
  }
}
