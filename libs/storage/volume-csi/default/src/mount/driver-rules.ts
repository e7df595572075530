import { KubeletError } from '@podwright/errors';
import type { CsiDriver } from '@podwright/kube-types';
import { goQuote } from '@podwright/kube-types';
import { csiText } from '../csi-text.js';
import type { CsiDriverObjects } from '../csi-drivers/csi-driver-objects.js';
import type { CsiSource } from './csi-source.js';

export type FsGroupPolicy = 'ReadWriteOnceWithFSType' | 'File' | 'None';

/**
 * What a driver's CSIDriver object says about its volumes, with upstream's answer where there is none. Each method
 * throws while the objects are not there yet. Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go, csi_mounter.go.
 */
export class DriverRules {
  constructor(private readonly objects: Pick<CsiDriverObjects, 'get'>) {}

  attachRequired(driver: string): boolean {
    return this.specOf(driver)?.attachRequired !== false;
  }

  podInfoOnMount(driver: string): boolean {
    return this.specOf(driver)?.podInfoOnMount === true;
  }

  requiresRepublish(driver: string): boolean {
    return this.specOf(driver)?.requiresRepublish === true;
  }

  seLinuxMount(driver: string): boolean {
    return this.specOf(driver)?.seLinuxMount === true;
  }

  /** The service account tokens that the driver wants, and where. */
  tokenRequests(driver: string): {
    readonly requests: readonly { readonly audience: string; readonly expirationSeconds?: number }[];
    readonly inSecrets: boolean;
  } {
    const { tokenRequests: requests = [], serviceAccountTokenInSecrets: inSecrets = false } = this.specOf(driver) ?? {};
    return { requests, inSecrets };
  }

  /** Throws in upstream's words when the driver has no volumes of this mode. */
  requireLifecycleMode({ driver, lifecycleMode }: CsiSource): void {
    const spec = this.specOf(driver);
    if (spec === undefined && lifecycleMode === 'Persistent') return;
    const modes = spec?.volumeLifecycleModes ?? [];
    if (modes.includes(lifecycleMode)) return;
    const reason = spec === undefined ? 'no CSIDriver object' : `only supports [${modes.map(goQuote).join(' ')}]`;
    throw new KubeletError(`volume mode "${lifecycleMode}" not supported by driver ${driver} (${reason})`, {
      code: 'failed-precondition',
    });
  }

  fsGroupPolicy(driver: string): FsGroupPolicy {
    const spec = this.specOf(driver);
    if (spec === undefined) return 'ReadWriteOnceWithFSType';
    if (spec.fsGroupPolicy === undefined || spec.fsGroupPolicy === '') {
      throw new KubeletError(csiText('expected valid fsGroupPolicy, received nil value or empty string'), {
        code: 'failed-precondition',
      });
    }
    return spec.fsGroupPolicy as FsGroupPolicy;
  }

  private specOf(driver: string): CsiDriver['spec'] | undefined {
    return this.objects.get(driver)?.spec;
  }
}
