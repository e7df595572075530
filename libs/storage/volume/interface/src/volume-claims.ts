import { createToken } from '@podwright/assembly-interface';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@podwright/kube-types';

/** What a volume of a pod stands for. */
export interface ResolvedClaim {
  /** Translated to CSI where it was of a former in-tree plugin. */
  readonly persistentVolume: PersistentVolume;
  /** Absent when the pod's spec names a volume of a former in-tree plugin itself. */
  readonly claim?: PersistentVolumeClaim;
  /** Translated from a former in-tree plugin; metrics show it. */
  readonly migrated: boolean;
}

/**
 * Finds the PersistentVolumes of claims, of generic ephemeral volumes, and of volumes that a CSI driver has taken over
 * from an in-tree plugin. Source: kubernetes v1.36 pkg/kubelet/volumemanager/populator createVolumeSpec.
 */
export interface VolumeClaims {
  /** True when `resolve` can do something about the volume; the pod's spec is enough for all others. */
  concerns(volume: Volume): boolean;
  /**
   * Asks the API server, never a cache. Rejects in upstream's words when the claim cannot be used, such as `PVC is not
   * bound`. `used` says how containers of the pod use the volume; a PersistentVolume of the other mode is refused.
   */
  resolve(
    pod: Pod,
    volume: Volume,
    used: { readonly asMount: boolean; readonly asDevice: boolean },
    signal: AbortSignal,
  ): Promise<ResolvedClaim>;
}

/** Absent in an assembly without an API server. */
export const VOLUME_CLAIMS = createToken<VolumeClaims>('kubelet.volume-claims/v1');
