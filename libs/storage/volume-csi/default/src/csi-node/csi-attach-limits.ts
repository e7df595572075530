import type { KubeClient } from '@podwright/kube-client-interface';
import { volumeAttachments } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { AttachLimits, VolumeSpec } from '@podwright/volume-interface';
import { csiTimeoutMs } from '../client/csi-operation.js';
import type { CsiDriverObjects } from '../csi-drivers/csi-driver-objects.js';
import { updatePeriodMs, type AllocatableUpdates } from './allocatable-updates.js';
import { attachmentName } from './attachment-name.js';

// The gRPC code ResourceExhausted.
const resourceExhausted = 8;

export interface CsiAttachLimitsDeps {
  readonly client: Pick<KubeClient, 'get'>;
  readonly objects: Pick<CsiDriverObjects, 'get'>;
  readonly updates: Pick<AllocatableUpdates, 'refresh'>;
  readonly logger: Logger;
}

/** {@link AttachLimits} of CSI drivers. Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go VerifyExhaustedResource. */
export class CsiAttachLimits implements AttachLimits {
  constructor(
    private readonly deps: CsiAttachLimitsDeps,
    private readonly nodeName: string,
  ) {}

  async exceeded({ persistentVolume }: VolumeSpec, signal: AbortSignal): Promise<boolean> {
    const csi = persistentVolume?.spec?.csi;
    if (csi === undefined) return false;
    const { driver, volumeHandle } = csi;
    if (!this.mayChange(driver) || !(await this.exhausted(driver, volumeHandle, signal))) return false;
    await this.deps.updates
      .refresh(driver, signal)
      .catch((error: unknown) => this.logged('Failed to update CSIDriver', driver, error, signal));
    return true;
  }

  private mayChange(driver: string): boolean {
    try {
      return updatePeriodMs(this.deps.objects.get(driver)) > 0;
    } catch (error) {
      this.deps.logger.error('Failed to retrieve CSIDriver', { driver, error });
      return false;
    }
  }

  private async exhausted(driver: string, volumeHandle: string, signal: AbortSignal): Promise<boolean> {
    const name = attachmentName(volumeHandle, driver, this.nodeName);
    try {
      const { status } = await this.deps.client.get(volumeAttachments, { name }, { signal, timeoutMs: csiTimeoutMs });
      return status?.attachError?.errorCode === resourceExhausted;
    } catch (error) {
      this.logged('Failed to get volume attachment', driver, error, signal);
      return false;
    }
  }

  private logged(message: string, driver: string, error: unknown, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.deps.logger.error(message, { driver, error });
  }
}
