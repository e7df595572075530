import { createToken } from '@podwright/assembly-interface';
import type { VolumeSpec } from './volume-spec.js';

/**
 * How many volumes a driver can attach to this node. Source: kubernetes v1.36
 * pkg/kubelet/volumemanager/volume_manager.go VerifyExhaustedResource, pkg/volume/csi/csi_plugin.go.
 */
export interface AttachLimits {
  /**
   * True when the volume is not attached because the node can take no more of its driver; CSINode then gets the
   * driver's new number at once. Always false for drivers whose number does not change. Never rejects, except on the
   * signal: what cannot be found out is false.
   */
  exceeded(spec: VolumeSpec, signal: AbortSignal): Promise<boolean>;
}

/** Absent in an assembly without an API server. */
export const ATTACH_LIMITS = createToken<AttachLimits>('kubelet.attach-limits/v1');
