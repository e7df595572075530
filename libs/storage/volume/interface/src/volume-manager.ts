import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { VolumeUsageSource } from './volume-usage.js';

/** A volume that containers can mount, or get as a block device. */
export interface MountedVolume {
  /** Name in pod.spec.volumes. */
  readonly name: string;
  /** Its name on disk where that is another, such as the name of its PersistentVolume. */
  readonly specName?: string;
  /** Path on the node; of a block device the pod's link to it. */
  readonly hostPath: string;
  /** True: a block device, for volumeDevices only. Default false. */
  readonly isBlockDevice?: boolean;
  readonly readOnly: boolean;
  /** True when the kubelet owns the files, so it may change ownership and SELinux labels. */
  readonly managed: boolean;
  readonly selinuxRelabel: boolean;
  /** From the volume's plugin; absent when the volume has no usage statistics. */
  readonly usage?: VolumeUsageSource;
}

/**
 * Mounts the volumes of desired pods and unmounts those of all others. The desired state comes from the pod manager,
 * the actual state from the disk. Source: kubernetes v1.36 pkg/kubelet/volumemanager/volume_manager.go.
 */
export interface VolumeManager extends Lifecycle {
  /**
   * Resolves when every volume that the pod's containers use is mounted. Rejects after 2 min 3 s, as upstream, or on
   * the signal; with the reason {@link volumeAttachmentLimitExceeded} when the pod must be rejected.
   */
  waitForAttachAndMount(pod: Pod, signal: AbortSignal): Promise<void>;
  /** Resolves when no volume of the pod is mounted any more. Rejects after the same time, or on the signal. */
  waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void>;
  getMountedVolumes(podUid: string): readonly MountedVolume[];
  /** True while a volume of the pod is mounted on the node, or may be. */
  hasPossiblyMountedVolumes(podUid: string): Promise<boolean>;
  /** Supplemental group ids that the pod's volumes require. */
  extraSupplementalGroups(pod: Pod): readonly number[];
  /**
   * Removes the directories of pods that are not in the set and cannot have running containers, except where something
   * is mounted.
   */
  removeOrphanedPodDirs(knownPodUids: ReadonlySet<string>): Promise<void>;
}

export const VOLUME_MANAGER = createToken<VolumeManager>('kubelet.volume-manager/v1');

/**
 * Reason of the error and of the pod's rejection when the node can attach no more volumes. Source: kubernetes v1.36
 * pkg/kubelet/volumemanager, VolumeAttachmentLimitExceededReason.
 */
export const volumeAttachmentLimitExceeded = 'VolumeAttachmentLimitExceeded';

/**
 * Attachable volumes in use, for the node status: controllers detach none of them. Absent where no plugin attaches
 * volumes. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go VolumesInUse.
 */
export interface VolumesInUse {
  /** Unique volume names, sorted; undefined before the first reconcile: the node status then keeps its list. */
  list(): readonly string[] | undefined;
  /** The names in the node status that the API server has now; a volume is attached only once it is among them. */
  reported(names: readonly string[]): void;
  /** Calls `listener` when {@link list} may have changed, so that the status can be sent at once. Returns unsubscribe. */
  watch(listener: () => void): () => void;
}

export const VOLUMES_IN_USE = createToken<VolumesInUse>('kubelet.volumes-in-use/v1');
