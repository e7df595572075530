import type { KubeClient } from '@podwright/kube-client-interface';
import type { VolumeSpec } from '@podwright/volume-interface';
import type { CsiClient } from './client/csi-client.js';
import { csiOperation, type CsiOperation } from './client/csi-operation.js';
import type { CsiVolumeDeps, CsiVolumeOptions } from './csi-volume-deps.js';
import { DriverRules } from './mount/driver-rules.js';
import type { AttachedVolume } from './mount/attachment.js';
import type { CsiSource, SecretName } from './mount/csi-source.js';
import { publishContext } from './mount/publish-context.js';
import { readCredentials } from './mount/secrets.js';

/** What every operation on CSI volumes needs: the node, the API server's objects, and the driver. */
export class CsiVolumes {
  readonly rules: DriverRules;

  constructor(
    readonly deps: CsiVolumeDeps,
    readonly options: CsiVolumeOptions,
  ) {
    this.rules = new DriverRules(deps.driverObjects);
  }

  get api(): Pick<KubeClient, 'get'> {
    return this.deps.api;
  }

  /** Throws, marked as transient, when no driver of that name is registered. */
  client(driver: string): CsiClient {
    return this.deps.clients.of(driver);
  }

  /** Runs calls with one time limit for all of them. */
  operation<T>(
    signal: AbortSignal,
    run: (operation: CsiOperation) => Promise<T>,
    spec?: Pick<VolumeSpec, 'migrated'>,
  ): Promise<T> {
    const { migrated = false } = spec ?? {};
    return csiOperation(this.deps.clock, signal, (operation) => run({ ...operation, migrated }));
  }

  attached({ driver, handle }: Pick<CsiSource, 'driver' | 'handle'>): AttachedVolume {
    return { driver, handle, nodeName: this.options.nodeName };
  }

  publishContext(source: CsiSource, signal: AbortSignal): Promise<Readonly<Record<string, string>> | undefined> {
    return publishContext(this.api, this.rules, this.attached(source), signal);
  }

  credentials(secret: SecretName | undefined, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    return readCredentials(this.api, secret, signal);
  }
}
