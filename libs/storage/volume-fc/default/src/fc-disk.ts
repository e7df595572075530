import { basename, join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { Volume } from '@podwright/kube-types';
import type { VolumeSpec } from '@podwright/volume-interface';

export const pluginName = 'kubernetes.io/fc';

type Source = NonNullable<Volume['fc']>;

/** One disk: by the ports that offer it and its number there, or by its own identifiers (any of them). */
export type FcDisk =
  | { readonly wwns: readonly string[]; readonly lun: number }
  /** Without blanks. */
  | { readonly wwids: readonly string[] };

/** Throws for a volume of another kind. */
export function fcSourceOf({ volume, persistentVolume }: Pick<VolumeSpec, 'volume' | 'persistentVolume'>): Source {
  const source = persistentVolume === undefined ? volume.fc : persistentVolume.spec?.fc;
  if (source !== undefined) return source;
  throw new KubeletError('Spec does not reference a FibreChannel volume type', { code: 'invalid-argument' });
}

/** Throws when nothing identifies the disk. Source: kubernetes v1.36 pkg/volume/fc/fc.go getWwnsLunWwids. */
export function fcDiskOf(spec: Pick<VolumeSpec, 'volume' | 'persistentVolume'>): FcDisk {
  const { targetWWNs: wwns = [], lun, wwids = [] } = fcSourceOf(spec);
  if (wwns.length > 0 && lun !== undefined) return { wwns, lun };
  if (wwids.length > 0) return { wwids: wwids.map((wwid) => wwid.replaceAll(' ', '_')) };
  throw new KubeletError('fc: no fc disk information found', { code: 'invalid-argument' });
}

/** The same for every pod: a list as Go prints it. Source: kubernetes v1.36 pkg/volume/fc/fc.go GetVolumeName. */
export function fcVolumeName(spec: Pick<VolumeSpec, 'volume' | 'persistentVolume'>): string {
  const disk = fcDiskOf(spec);
  if ('wwns' in disk) return `[${disk.wwns.join(' ')}]:${disk.lun}`;
  return `[${(fcSourceOf(spec).wwids ?? []).join(' ')}]`;
}

/** Folders below `<root>/plugins`: of disks that are mounted once for the node, and of those that are block devices. */
export function fcFolders(pluginsDir: string): { readonly mounts: string; readonly devices: string } {
  const mounts = join(pluginsDir, pluginName);
  return { mounts, devices: join(mounts, 'volumeDevices') };
}

/** Name of the disk's folder: `<wwn>-<wwn>-lun-<lun>` or `<wwid>-<wwid>`. */
export function fcFolderName(disk: FcDisk): string {
  return 'wwns' in disk ? [...disk.wwns, 'lun', disk.lun].join('-') : disk.wwids.join('-');
}

/** Throws for a name of another form. Source: kubernetes v1.36 pkg/volume/fc/fc_util.go parsePDName. */
export function parseFcFolder(path: string): FcDisk {
  const parts = basename(path).split('-');
  if (parts.at(-2) !== 'lun') return { wwids: parts };
  const [wwns, lun] = [parts.slice(0, -2), parts.at(-1) ?? ''];
  if (wwns.length === 0 || !/^\d+$/.test(lun)) {
    throw new KubeletError(`fc: malformatted path: ${path}`, { code: 'data-loss' });
  }
  return { wwns, lun: Number(lun) };
}
