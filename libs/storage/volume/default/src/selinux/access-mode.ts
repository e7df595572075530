import type { PersistentVolume } from '@podwright/kube-types';
import type { VolumePlugin, VolumeSpec } from '@podwright/volume-interface';

const shortNames = [
  ['ReadWriteMany', 'RWX'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteOnce', 'RWO'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** Label `access_mode` of metrics: the widest mode of the volume, `inline` for one of the pod's spec. */
export function accessModeLabel(persistentVolume: PersistentVolume | undefined): string {
  if (persistentVolume === undefined) return 'inline';
  const modes = persistentVolume.spec?.accessModes ?? [];
  return shortNames.find(([mode]) => modes.includes(mode))?.[1] ?? '';
}

/** Label `volume_plugin` of metrics of SELinux: a CSI volume has its driver's name too. */
export function pluginLabel({ name }: Pick<VolumePlugin, 'name'>, { volume, persistentVolume }: VolumeSpec): string {
  if (name !== 'kubernetes.io/csi') return name;
  const driver = persistentVolume === undefined ? volume.csi?.driver : persistentVolume.spec?.csi?.driver;
  return `${name}/${driver ?? 'unknown'}`;
}
