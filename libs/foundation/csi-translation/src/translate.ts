import { KubeletError } from '@podwright/errors';
import type { PersistentVolume, Volume } from '@podwright/kube-types';
import type { FormerPlugin, PersistentVolumeSpec } from './former-plugin.js';
import { awsEbs } from './sources/aws-ebs.js';
import { azureDisk } from './sources/azure-disk.js';
import { azureFile } from './sources/azure-file.js';
import { cinder } from './sources/cinder.js';
import { gcePd } from './sources/gce-pd.js';
import { portworx } from './sources/portworx.js';
import { vsphere } from './sources/vsphere.js';

const formerPlugins: readonly FormerPlugin[] = [awsEbs, gcePd, azureDisk, azureFile, cinder, vsphere, portworx];

/** True for a volume, or the spec of a PersistentVolume, with a source that this package translates. */
export function hasInTreeSource(of: Volume | Partial<PersistentVolumeSpec>): boolean {
  return formerPlugins.some(({ field }) => Boolean(of[field]));
}

/**
 * The PersistentVolume that stands for a volume of a pod's spec: always of mode Filesystem. No API server has it.
 *
 * @throws KubeletError `invalid-argument`
 * Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/translate.go TranslateInTreeInlineVolumeToCSI.
 */
export function translateInline(volume: Volume, podNamespace: string): PersistentVolume {
  for (const plugin of formerPlugins) {
    const translated = plugin.inline(volume, podNamespace);
    if (translated === undefined) continue;
    const { name, accessMode, csi } = translated;
    return { metadata: { name }, spec: { accessModes: [accessMode], volumeMode: 'Filesystem', csi } };
  }
  throw noLogic(volume.name);
}

/**
 * The PersistentVolume with a CSI source in place of the in-tree one, and the driver's topology in its node affinity.
 *
 * @throws KubeletError `invalid-argument`
 * Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/translate.go TranslateInTreePVToCSI.
 */
export function translatePersistentVolume(volume: PersistentVolume): PersistentVolume {
  for (const plugin of formerPlugins) {
    const translated = plugin.spec(volume);
    if (translated === undefined) continue;
    const { [plugin.field]: _, ...rest } = volume.spec ?? {};
    return { ...volume, spec: { ...rest, ...translated } };
  }
  throw noLogic(volume.metadata?.name ?? '');
}

function noLogic(name: string): KubeletError {
  const message = `could not find in-tree plugin translation logic for ${JSON.stringify(name)}`;
  return new KubeletError(message, { code: 'invalid-argument' });
}
