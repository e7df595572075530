import type { PersistentVolume, Pod, Volume } from '@podwright/kube-types';

/** One volume of one pod, with what its claim was resolved to. Source: kubernetes v1.36 pkg/volume/plugins.go Spec. */
export interface VolumeSpec {
  /** The volume as the pod's spec has it. */
  readonly volume: Volume;
  /**
   * What the volume's claim is bound to, or what a volume of a former in-tree plugin was translated to. Absent: the
   * pod's spec describes the volume itself.
   */
  readonly persistentVolume?: PersistentVolume;
  /** The volume was translated from a former in-tree plugin; metrics show it. Default false. */
  readonly migrated?: boolean;
  /** After a restart only its UID is known. */
  readonly pod: Pod;
  /** `<root>/pods/<uid>`. */
  readonly podDir: string;
}

/** The volume's name on disk and in messages: that of its PersistentVolume, or its name in the pod. */
export function specName({ volume, persistentVolume }: Pick<VolumeSpec, 'volume' | 'persistentVolume'>): string {
  return persistentVolume?.metadata?.name ?? volume.name;
}

/** Whether the pod asks for the volume read-only. The source of a PersistentVolume has no say in it. */
export function isReadOnlySpec({ volume, persistentVolume }: VolumeSpec): boolean {
  if (persistentVolume !== undefined) return volume.persistentVolumeClaim?.readOnly ?? false;
  const { iscsi, fc, nfs, flexVolume, csi } = volume;
  return (iscsi ?? fc ?? nfs ?? flexVolume ?? csi)?.readOnly ?? false;
}

/**
 * Mount options of a PersistentVolume: those of its annotation, which win, else of its spec. Source: kubernetes v1.36
 * pkg/volume/util/util.go MountOptionFromSpec.
 */
export function mountOptionsOf({ metadata, spec }: PersistentVolume): readonly string[] {
  const annotated = metadata?.annotations?.['volume.beta.kubernetes.io/mount-options'];
  return annotated === undefined ? (spec?.mountOptions ?? []) : annotated.split(',');
}

/** Options of the volume and of the system, each once, sorted; without any of the volume the system's as they are. */
export function joinMountOptions(ofVolume: readonly string[], ofSystem: readonly string[]): readonly string[] {
  if (ofVolume.length === 0) return ofSystem;
  return [...new Set([...ofVolume.filter((option) => option !== ''), ...ofSystem])].sort();
}
