import { KubeletError, messageOf } from '@podwright/errors';
import { specName } from '@podwright/volume-interface';
import type { VolumeMounter, VolumePlugin, VolumeSpec, VolumeUsageSource } from '@podwright/volume-interface';

/**
 * `uncertain`: something may be mounted, because an operation started and did not succeed, or an earlier kubelet left
 * it. Uncertain volumes are unmounted, but never given to containers.
 */
export type MountState = 'unmounted' | 'uncertain' | 'mounted';

/** A volume that all pods of the node share: it is attached to the node, mounted once for all of them, or both. */
export interface SharedVolume {
  readonly uniqueName: string;
  readonly plugin: VolumePlugin;
  /** Of the last pod that asked for it. */
  spec: VolumeSpec;
  /** Undefined: reconstructed, and the node's status has not told yet. */
  attachable: boolean | undefined;
  attached: boolean;
  /** From attaching; empty when unknown. */
  devicePath: string;
  readonly isBlockDevice: boolean;
  /** The mount for the node; of a block device its staging. */
  device: MountState;
  deviceMountPath: string;
  /** An earlier kubelet may have mounted the device: a failure does not prove that nothing is there. */
  reconstructed: boolean;
  /** What the file system or device has, as its claim says or as it was grown to; undefined when unknown. */
  sizeBytes: number | undefined;
  /** Its driver has refused to grow it in use; tried again with the next mount. */
  growsOnlyUnused: boolean;
  /** The label that the device is mounted with. */
  seLinuxLabel: string | undefined;
}

/** One volume of one pod on the node. */
export interface PodVolume {
  readonly podUid: string;
  /** Name on disk. */
  readonly name: string;
  readonly plugin: VolumePlugin;
  readonly isBlockDevice: boolean;
  readonly shared: SharedVolume | undefined;
  /** Names in the pod's spec: one claim may have several. */
  outerNames: readonly string[];
  spec: VolumeSpec;
  /** The label to mount with; empty for none. */
  seLinuxLabel: string;
  state: MountState;
  /** The pod waits for it or uses it; false for a pod that ends or was not synced since the start. */
  wanted: boolean;
  reconstructed: boolean;
  /** Its files on disk could not be read, so it is taken down by its path alone. */
  readonly unreadable: boolean;
  mounter: VolumeMounter | undefined;
  /** The pod's link to the block device. */
  podDevicePath: string | undefined;
  /** Where the link leads: the block device as its plugin published it for the pod. */
  publishedDevice: string | undefined;
  /** Of the block device; a mounter has its own. */
  usage: VolumeUsageSource | undefined;
}

/** A shared volume of which nothing is attached or mounted yet, apart from what `known` says. */
export function newSharedVolume(
  known: Pick<SharedVolume, 'plugin' | 'spec' | 'isBlockDevice'> & Partial<SharedVolume>,
): SharedVolume {
  return {
    uniqueName: sharedVolumeName(known.plugin, known.spec),
    attachable: undefined,
    attached: false,
    devicePath: '',
    device: 'unmounted',
    deviceMountPath: '',
    reconstructed: false,
    sizeBytes: undefined,
    growsOnlyUnused: false,
    seLinuxLabel: undefined,
    ...known,
  };
}

/** A pod's volume that is not mounted and not wanted, apart from what `known` says. */
export function newPodVolume(
  known: Pick<PodVolume, 'podUid' | 'name' | 'plugin' | 'isBlockDevice' | 'shared' | 'spec'> & Partial<PodVolume>,
): PodVolume {
  return {
    outerNames: [],
    seLinuxLabel: '',
    state: 'unmounted',
    wanted: false,
    reconstructed: false,
    unreadable: false,
    mounter: undefined,
    podDevicePath: undefined,
    publishedDevice: undefined,
    usage: undefined,
    ...known,
  };
}

/** Upstream's unique name of a volume that pods share. Throws in upstream's words when the plugin finds none. */
export function sharedVolumeName(plugin: VolumePlugin, spec: VolumeSpec): string {
  try {
    return `${plugin.name}/${plugin.volumeName?.(spec) ?? specName(spec)}`;
  } catch (error) {
    const message = `failed to GetVolumeName from volumePlugin for volumeSpec ${JSON.stringify(specName(spec))} err=${messageOf(error)}`;
    throw new KubeletError(message, { code: 'invalid-argument', cause: error });
  }
}

/** Upstream's unique name: that of the shared volume, or of one that belongs to a single pod. */
export function uniqueVolumeName({
  shared,
  plugin,
  podUid,
  name,
}: Pick<PodVolume, 'shared' | 'plugin' | 'podUid' | 'name'>): string {
  return shared?.uniqueName ?? `${plugin.name}/${podUid}-${name}`;
}

/** The volumes on the node, by pod, and those that pods share. */
export class VolumeTable {
  private readonly pods = new Map<string, Map<string, PodVolume>>();
  private readonly sharedVolumes = new Map<string, SharedVolume>();

  get(podUid: string, name: string): PodVolume | undefined {
    return this.pods.get(podUid)?.get(name);
  }

  of(podUid: string): readonly PodVolume[] {
    const volumes = this.pods.get(podUid);
    return volumes === undefined ? [] : [...volumes.values()];
  }

  all(): readonly PodVolume[] {
    return [...this.pods.values()].flatMap((volumes) => [...volumes.values()]);
  }

  put(record: PodVolume): void {
    const volumes = this.pods.get(record.podUid) ?? new Map<string, PodVolume>();
    volumes.set(record.name, record);
    this.pods.set(record.podUid, volumes);
  }

  delete({ podUid, name }: PodVolume): void {
    const volumes = this.pods.get(podUid);
    volumes?.delete(name);
    if (volumes?.size === 0) this.pods.delete(podUid);
  }

  has(record: PodVolume): boolean {
    return this.get(record.podUid, record.name) === record;
  }

  shared(uniqueName: string): SharedVolume | undefined {
    return this.sharedVolumes.get(uniqueName);
  }

  allShared(): readonly SharedVolume[] {
    return [...this.sharedVolumes.values()];
  }

  putShared(volume: SharedVolume): void {
    this.sharedVolumes.set(volume.uniqueName, volume);
  }

  deleteShared(volume: SharedVolume): void {
    this.sharedVolumes.delete(volume.uniqueName);
  }

  /** The pods' records of a shared volume. */
  users(volume: SharedVolume): readonly PodVolume[] {
    return this.all().filter(({ shared }) => shared === volume);
  }
}
