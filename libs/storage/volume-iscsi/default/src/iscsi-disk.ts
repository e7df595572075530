import { basename, dirname, join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { Volume } from '@podwright/kube-types';
import { specName, type VolumeSpec } from '@podwright/volume-interface';

export const pluginName = 'kubernetes.io/iscsi';

/** One disk, and how to reach it. Source: kubernetes v1.36 pkg/volume/iscsi/iscsi.go iscsiDisk. */
export interface IscsiDisk {
  /** Name of the volume on disk. */
  readonly volName: string;
  /** `<address>:<port>`, that of `targetPortal` first. */
  readonly portals: readonly string[];
  readonly iqn: string;
  readonly lun: string;
  /** Interface of open-iscsi that the volume names. */
  readonly initIface: string;
  /** The interface that sessions use: a copy of `initIface` when the volume has an initiator of its own. */
  readonly iface: string;
  readonly initiatorName: string;
}

export interface IscsiSource extends IscsiDisk {
  /** The portal as the volume has it. */
  readonly targetPortal: string;
  readonly fsType: string;
  readonly chapDiscovery: boolean;
  readonly chapSession: boolean;
  readonly secret: { readonly name: string; readonly namespace: string } | undefined;
}

type Source = NonNullable<Volume['iscsi']>;

/** Throws for a volume of another kind. */
export function iscsiSourceOf(spec: Pick<VolumeSpec, 'volume' | 'persistentVolume' | 'pod'>): IscsiSource {
  const { volume, persistentVolume, pod } = spec;
  const source = persistentVolume === undefined ? volume.iscsi : persistentVolume.spec?.iscsi;
  if (source === undefined) {
    throw new KubeletError('Spec does not reference an ISCSI volume type', { code: 'invalid-argument' });
  }
  const { targetPortal, portals: others = [], iqn, lun, initiatorName = '', fsType = '' } = source as Source;
  const portals = [targetPortal, ...others].map(withPort);
  const initIface =
    source.iscsiInterface === undefined || source.iscsiInterface === '' ? 'default' : source.iscsiInterface;
  const volName = specName(spec);
  // Only the secret of a PersistentVolume may have a namespace of its own.
  const ownNamespace = persistentVolume?.spec?.iscsi?.secretRef?.namespace ?? '';
  const secret = {
    name: source.secretRef?.name ?? '',
    namespace: ownNamespace === '' ? (pod.metadata.namespace ?? '') : ownNamespace,
  };
  return {
    ...{ volName, portals, iqn, lun: String(lun), targetPortal, fsType, initIface, initiatorName },
    iface: initiatorName === '' ? initIface : ownIface(portals, volName),
    chapDiscovery: source.chapAuthDiscovery ?? false,
    chapSession: source.chapAuthSession ?? false,
    secret: secret.name === '' || secret.namespace === '' ? undefined : secret,
  };
}

/** Name of the interface that is made for a volume with an initiator name of its own. */
export function ownIface(portals: readonly string[], volName: string): string {
  return `${portals[0] ?? ''}:${volName}`;
}

function withPort(portal: string): string {
  return portal.includes(':') ? portal : `${portal}:3260`;
}

/** Folders below `<root>/plugins`: of disks that are mounted once for the node, and of those that are block devices. */
export function iscsiFolders(pluginsDir: string): { readonly mounts: string; readonly devices: string } {
  const mounts = join(pluginsDir, pluginName);
  return { mounts, devices: join(mounts, 'volumeDevices') };
}

/** The folder of a disk below one of {@link iscsiFolders}: `iface-<iface>/<portal>-<iqn>-lun-<lun>`. */
export function diskFolder(folder: string, { portals, iqn, lun, iface }: IscsiDisk): string {
  return join(folder, `iface-${iface}`, `${portals[0] ?? ''}-${iqn}-lun-${lun}`);
}

/** What the folder's name says about a disk. Throws for a name of another form. */
export function parseDiskFolder(path: string): IscsiDisk {
  const [, portal, iqn, lun] = /^(.+?)-((?:iqn|eui|naa)\..+)-lun-(\d+)$/.exec(basename(path)) ?? [];
  const [, iface] = /^iface-(.+)$/.exec(basename(dirname(path))) ?? [];
  if (portal === undefined || iqn === undefined || lun === undefined || iface === undefined) {
    throw new KubeletError(`iscsi: malformatted path: ${path}`, { code: 'data-loss' });
  }
  return { volName: '', portals: [portal], iqn, lun, initIface: '', iface, initiatorName: '' };
}
