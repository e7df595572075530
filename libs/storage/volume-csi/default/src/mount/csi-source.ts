import { createHash } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import type { PersistentVolume, Pod } from '@podwright/kube-types';
import { isReadOnlySpec, type VolumeSpec } from '@podwright/volume-interface';
import { csiText } from '../csi-text.js';

/** Where a secret is; both names are empty when the object does not say. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** A CSI volume as its source describes it: a PersistentVolume, or the volume in the pod's spec. */
export interface CsiSource {
  readonly lifecycleMode: 'Persistent' | 'Ephemeral';
  readonly driver: string;
  readonly handle: string;
  readonly readOnly: boolean;
  /** Empty: the driver decides. */
  readonly fsType: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly mountOptions: readonly string[];
  /** Absent: the object names none. */
  readonly accessModes: readonly string[] | undefined;
  readonly publishSecret: SecretName | undefined;
  readonly stageSecret: SecretName | undefined;
  readonly expandSecret: SecretName | undefined;
}

type PersistentCsi = NonNullable<NonNullable<PersistentVolume['spec']>['csi']>;

/** Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go NewMounter, csi_util.go getSourceFromSpec. */
export function csiSourceOf(spec: VolumeSpec): CsiSource {
  const { volume, persistentVolume, pod } = spec;
  const readOnly = isReadOnlySpec(spec);
  if (persistentVolume !== undefined) {
    const csi = persistentCsiOf(spec);
    const { mountOptions = [], accessModes } = persistentVolume.spec ?? {};
    return {
      lifecycleMode: 'Persistent',
      driver: csi.driver,
      handle: csi.volumeHandle,
      readOnly,
      fsType: csi.fsType ?? '',
      attributes: csi.volumeAttributes ?? {},
      mountOptions,
      accessModes,
      publishSecret: secretName(csi.nodePublishSecretRef),
      stageSecret: secretName(csi.nodeStageSecretRef),
      expandSecret: secretName(csi.nodeExpandSecretRef),
    };
  }
  if (volume.csi === undefined) throw noSource();
  const { driver, fsType = '', volumeAttributes: attributes = {}, nodePublishSecretRef } = volume.csi;
  const namespace = pod.metadata.namespace ?? '';
  return {
    lifecycleMode: 'Ephemeral',
    driver,
    handle: inlineVolumeHandle(pod, volume.name),
    readOnly,
    fsType,
    attributes,
    mountOptions: [],
    accessModes: ['ReadWriteOnce'],
    publishSecret: secretName(nodePublishSecretRef && { ...nodePublishSecretRef, namespace }),
    stageSecret: undefined,
    expandSecret: undefined,
  };
}

/** The source of a PersistentVolume. Throws for a volume that the pod's spec describes itself. */
export function persistentCsiOf({ persistentVolume }: VolumeSpec): PersistentCsi {
  const csi = persistentVolume?.spec?.csi;
  if (csi === undefined) throw noSource();
  return csi;
}

/** The driver of any CSI volume. Source: kubernetes v1.36 pkg/volume/csi/csi_util.go GetCSIDriverName. */
export function driverNameOf({ volume, persistentVolume }: VolumeSpec): string {
  const csi = persistentVolume === undefined ? volume.csi : persistentVolume.spec?.csi;
  if (csi === undefined) throw noSource();
  return csi.driver;
}

/** The access mode that a driver is asked for: the first. */
export function firstAccessMode({ accessModes }: CsiSource): string {
  return accessModes?.[0] ?? 'ReadWriteOnce';
}

// Source: kubernetes v1.36 pkg/volume/csi/csi_mounter.go makeVolumeHandle.
function inlineVolumeHandle({ metadata }: Pod, volumeName: string): string {
  return `csi-${sha256Hex(`${metadata.uid ?? ''}${volumeName}`)}`;
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function secretName(reference: Partial<SecretName> | undefined): SecretName | undefined {
  return reference && { namespace: reference.namespace ?? '', name: reference.name ?? '' };
}

function noSource(): KubeletError {
  return new KubeletError(csiText('volume source not found in volume.Spec'), { code: 'invalid-argument' });
}
