import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { VolumeUsageSource } from './volume-usage.js';

/** A volume that is ready to be mounted into containers. */
export interface MountedVolume {
  /** Name in pod.spec.volumes. */
  readonly name: string;
  /** Path on the node. */
  readonly hostPath: string;
  readonly readOnly: boolean;
  /** The kubelet owns the files, so ownership and SELinux labels may be changed. */
  readonly managed: boolean;
  readonly selinuxRelabel: boolean;
  /** As its plugin says; absent: its usage is not told. */
  readonly usage?: VolumeUsageSource;
}

/**
 * Makes the volumes of wanted pods available and takes those of others away. Desired state comes from the pod manager,
 * actual state from the disk. Source: kubernetes v1.36 pkg/kubelet/volumemanager/volume_manager.go.
 */
export interface VolumeManager extends Lifecycle {
  /** Resolves when each volume that a container of the pod uses is mounted; rejects after upstream's 2 min 3 s or on the signal. */
  waitForAttachAndMount(pod: Pod, signal: AbortSignal): Promise<void>;
  /** Resolves when no volume of the pod is mounted any more. */
  waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void>;
  getMountedVolumes(podUid: string): readonly MountedVolume[];
  /** True while anything of the pod is, or may be, mounted on the node. */
  hasPossiblyMountedVolumes(podUid: string): Promise<boolean>;
  /** Supplemental group ids that the pod's volumes ask for. */
  extraSupplementalGroups(pod: Pod): readonly number[];
  /** Removes directories of pods that are in neither set, as far as nothing is mounted in them. */
  removeOrphanedPodDirs(knownPodUids: ReadonlySet<string>): Promise<void>;
}

export const VOLUME_MANAGER = createToken<VolumeManager>('kubelet.volume-manager/v1');

/** Attachable volumes, for the node's status; absent where no plugin attaches anything. */
export interface VolumesInUse {
  /** Unique volume names, sorted; undefined until the first reconciliation is over: then the node's status is left as it is. */
  list(): readonly string[] | undefined;
}

export const VOLUMES_IN_USE = createToken<VolumesInUse>('kubelet.volumes-in-use/v1');
