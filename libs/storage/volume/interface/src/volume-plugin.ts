import { createManyToken } from '@podwright/assembly-interface';
import type { PersistentVolume, Volume } from '@podwright/kube-types';
import type { AttachableVolumes } from './attachable-volumes.js';
import type { BlockVolumes } from './block-volumes.js';
import type { DeviceMountableVolumes } from './device-mountable-volumes.js';
import type { ExpandableVolumes } from './expandable-volumes.js';
import type { VolumeSpec } from './volume-spec.js';
import type { VolumeUsageSource } from './volume-usage.js';

export interface SetUpOptions {
  /** The SELinux label to mount with, as `context=`; absent: the container runtime labels the files, if anyone. */
  readonly seLinuxLabel?: string | undefined;
  /** The volume is mounted already, and its contents are refreshed: a failure must leave them. Default false. */
  readonly remount?: boolean;
  /** An earlier kubelet may have mounted the volume: a failure must leave what is there. Default false. */
  readonly reconstructed?: boolean;
}

/** Sets up one volume of one pod. `setUp` is idempotent and may be called again after a crash. */
export interface VolumeMounter {
  /** Path that containers mount. */
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
  /** Read after `setUp`. */
  readonly selinuxRelabel: boolean;
  /** Source of its usage statistics; absent for volumes without any, such as host paths and images. */
  readonly usage?: VolumeUsageSource;
  /** Rejections may be marked, see {@link VolumeFailure}. */
  setUp(signal: AbortSignal, options?: SetUpOptions): Promise<void>;
}

/** What can be rebuilt of a volume whose pod is gone. */
export interface ReconstructedVolume extends Pick<VolumeSpec, 'volume' | 'persistentVolume'> {
  /** The label that it is mounted with, as `context=`. */
  readonly seLinuxLabel?: string | undefined;
}

/** A volume that is mounted or mapped for the node. */
export interface FoundDevice extends ReconstructedVolume {
  readonly mode: 'Filesystem' | 'Block';
  /** Where it is mounted for all pods; of a block device its global map path. */
  readonly path: string;
}

/** One kind of volume. Source: kubernetes v1.36 pkg/volume/plugins.go. */
export interface VolumePlugin {
  /**
   * Upstream's name, such as `kubernetes.io/empty-dir`. With `~` in place of `/` it is the folder name below `volumes`.
   */
  readonly name: string;
  /**
   * True: each sync of the pod calls `setUp` again, so that the contents stay current. A function decides by volume.
   * Default false.
   */
  readonly requiresRemount?: boolean | ((spec: VolumeSpec) => boolean);
  /** False: a PersistentVolume with mount options is refused. Default false. */
  readonly supportsMountOptions?: boolean;
  /** Whether the volume can be mounted with an SELinux label. Default: none can. */
  supportsSeLinuxMount?(spec: VolumeSpec): boolean;
  /** Volumes that are attached to the node before they are mounted. */
  readonly attachable?: AttachableVolumes;
  /** Volumes that are mounted once on the node, for all its pods. */
  readonly deviceMountable?: DeviceMountableVolumes;
  /** Volumes that containers get as block devices. */
  readonly block?: BlockVolumes;
  /** Volumes whose file system grows on the node. */
  readonly expandable?: ExpandableVolumes;
  /**
   * Exactly one plugin must return true for a volume. `persistentVolume` is what `volume` was resolved to; the volume
   * itself is then a claim.
   */
  canSupport(volume: Volume, persistentVolume?: PersistentVolume): boolean;
  /**
   * The part of the volume's unique name that is the same for every pod that uses it: upstream's GetVolumeName. Throws
   * for a malformed volume. Only for plugins with attachable or device-mountable volumes.
   */
  volumeName?(spec: VolumeSpec): string;
  /**
   * Refuses a volume that cannot be mounted, before anything else is done with it; its error counts as one of
   * `newMounter`. Default: none is refused.
   */
  checkSource?(spec: VolumeSpec): Promise<void>;
  newMounter(spec: VolumeSpec): VolumeMounter;
  /**
   * Removes what `setUp` created; idempotent, and may be called again after a crash. Gets paths only, because the pod
   * object may be gone; `volumeName` is the volume's name on disk. Rejections may be marked.
   */
  tearDown(podDir: string, volumeName: string, signal?: AbortSignal): Promise<void>;
  /**
   * Rebuilds a volume from the files of an earlier kubelet and the mount table, without the API server. Rejects when they
   * are missing or broken. Absent: the volume's name is enough to tear it down.
   */
  reconstruct?(podDir: string, volumeName: string, mode: 'Filesystem' | 'Block'): Promise<ReconstructedVolume>;
  /**
   * What an earlier kubelet has mounted or mapped for the node, from the plugin's own files, so that it can be given back
   * also where no pod's folder tells of it any more. What is broken is left out. Absent: pods' folders tell of everything.
   */
  findDevices?(): Promise<readonly FoundDevice[]>;
}

/** Modules contribute their volume plugins; the volume manager gets all of them. */
export const VOLUME_PLUGINS = createManyToken<VolumePlugin>('kubelet.volume-plugins/v1');
