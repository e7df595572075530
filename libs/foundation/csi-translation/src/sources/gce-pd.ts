import { KubeletError } from '@podwright/errors';
import type { PersistentVolume } from '@podwright/kube-types';
import { copiedFields, formerPlugin, type CsiSource, type PersistentVolumeSpec } from '../former-plugin.js';
import { betaZone, stableZone, zonedAffinity, zoneDelimiter } from '../topology.js';

const driver = 'pd.csi.storage.gke.io';
// The driver fills in what is not specified.
const unspecified = 'UNSPECIFIED';
const unknownPlace = `projects/${unspecified}/zones/${unspecified}`;

interface PdSource {
  readonly pdName: string;
  readonly partition?: number;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/plugins/gce_pd.go. */
export const gcePd = formerPlugin(
  'gcePersistentDisk',
  (source) => ({
    name: `${driver}-${source.pdName}`,
    accessMode: source.readOnly === true ? 'ReadOnlyMany' : 'ReadWriteOnce',
    csi: csiOf(source, unknownPlace),
  }),
  (source, volume) => ({
    csi: csiOf(source, placeOf(volume)),
    ...zonedAffinity(volume, 'topology.gke.io/zone'),
    ...accessModesOf(volume.spec),
  }),
);

function csiOf(source: PdSource, place: string): CsiSource {
  const { pdName, partition = 0 } = source;
  const volumeAttributes = { partition: partition === 0 ? '' : String(partition) };
  return { driver, volumeHandle: `${place}/disks/${pdName}`, ...copiedFields(source), volumeAttributes };
}

function placeOf({ metadata }: PersistentVolume): string {
  const label = metadata?.labels?.[betaZone] || metadata?.labels?.[stableZone] || '';
  const zones = label.split(zoneDelimiter);
  if (zones.length > 1) return `projects/${unspecified}/regions/${regionOf(zones)}`;
  return label === '' ? unknownPlace : `projects/${unspecified}/zones/${label}`;
}

function regionOf(zones: readonly string[]): string {
  const regions = new Set<string>();
  for (const zone of zones) {
    const parts = zone.split('-');
    if (parts.length !== 3) {
      throw refused(`zone in unexpected format, expected: {locale}-{region}-{zone}, got: ${zone}`);
    }
    regions.add(parts.slice(0, 2).join('-'));
  }
  const [region = '', ...others] = [...regions].sort();
  if (others.length === 0) return region;
  const list = [region, ...others].map((name) => `${name}:{}`).join(' ');
  throw refused(`multiple or no regions gotten from zones, got: map[${list}]`);
}

function refused(why: string): KubeletError {
  return new KubeletError(`failed to get region from zones: ${why}`, { code: 'invalid-argument' });
}

// The in-tree plugin allowed ReadWriteMany, which the disk never had.
function accessModesOf(spec: PersistentVolumeSpec | undefined): Pick<PersistentVolumeSpec, 'accessModes'> {
  const modes = spec?.accessModes;
  if (modes === undefined) return {};
  const isReadOnly = modes.includes('ReadOnlyMany') && !modes.some((mode) => /^ReadWrite(Once|Many)$/.test(mode));
  return { accessModes: [isReadOnly ? 'ReadOnlyMany' : 'ReadWriteOnce'] };
}
