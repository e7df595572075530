import type { Volume, VolumeProjection } from '@podwright/kube-types';
import { defaultPullPolicy } from './container-defaults.js';

/** Default mode of files from secrets, config maps and the downward API: rw-r--r--. */
const defaultFileMode = 0o644;
/** Default lifetime of a projected service account token. */
const defaultTokenSeconds = 3600;

/** Sets the defaults of a volume. A volume without a source becomes an emptyDir. */
export function defaultVolume(volume: Volume): Volume {
  const { name: _name, ...sources } = volume;
  if (Object.keys(sources).length === 0) return { ...volume, emptyDir: {} };
  return { ...volume, ...currentSource(volume), ...legacySource(volume) };
}

function currentSource(volume: Volume): Partial<Volume> {
  const { hostPath, secret, configMap, downwardAPI, projected, ephemeral, image } = volume;
  return {
    ...(hostPath && { hostPath: { ...hostPath, type: hostPath.type ?? '' } }),
    ...(secret && { secret: { ...secret, defaultMode: secret.defaultMode ?? defaultFileMode } }),
    ...(configMap && { configMap: { ...configMap, defaultMode: configMap.defaultMode ?? defaultFileMode } }),
    ...(downwardAPI && {
      downwardAPI: { ...defaultFiles(downwardAPI), defaultMode: downwardAPI.defaultMode ?? defaultFileMode },
    }),
    ...(projected && {
      projected: {
        ...projected,
        ...(projected.sources && { sources: projected.sources.map(defaultProjection) }),
        defaultMode: projected.defaultMode ?? defaultFileMode,
      },
    }),
    ...(ephemeral && { ephemeral: defaultEphemeral(ephemeral) }),
    ...(image && { image: { ...image, pullPolicy: image.pullPolicy || defaultPullPolicy(image.reference) } }),
  };
}

function legacySource({ iscsi, rbd, azureDisk, scaleIO }: Volume): Partial<Volume> {
  return {
    ...(iscsi && { iscsi: { ...iscsi, iscsiInterface: iscsi.iscsiInterface || 'default' } }),
    ...(rbd && {
      rbd: {
        ...rbd,
        pool: rbd.pool || 'rbd',
        user: rbd.user || 'admin',
        keyring: rbd.keyring || '/etc/ceph/keyring',
      },
    }),
    ...(azureDisk && {
      azureDisk: {
        ...azureDisk,
        cachingMode: azureDisk.cachingMode ?? 'ReadWrite',
        fsType: azureDisk.fsType ?? 'ext4',
        readOnly: azureDisk.readOnly ?? false,
        kind: azureDisk.kind ?? 'Shared',
      },
    }),
    ...(scaleIO && {
      scaleIO: { ...scaleIO, storageMode: scaleIO.storageMode || 'ThinProvisioned', fsType: scaleIO.fsType || 'xfs' },
    }),
  };
}

type Ephemeral = NonNullable<Volume['ephemeral']>;

function defaultEphemeral(ephemeral: Ephemeral): Ephemeral {
  const template = ephemeral.volumeClaimTemplate;
  if (template === undefined) return ephemeral;
  const spec = { ...template.spec, volumeMode: template.spec.volumeMode ?? 'Filesystem' };
  return { volumeClaimTemplate: { ...template, spec } };
}

function defaultProjection(projection: VolumeProjection): VolumeProjection {
  const { downwardAPI, serviceAccountToken } = projection;
  return {
    ...projection,
    ...(downwardAPI && { downwardAPI: defaultFiles(downwardAPI) }),
    ...(serviceAccountToken && {
      serviceAccountToken: {
        ...serviceAccountToken,
        expirationSeconds: serviceAccountToken.expirationSeconds ?? defaultTokenSeconds,
      },
    }),
  };
}

type DownwardFiles = Pick<NonNullable<Volume['downwardAPI']>, 'items'>;

function defaultFiles<T extends DownwardFiles>(source: T): T {
  if (source.items === undefined) return source;
  const items = source.items.map((item) =>
    item.fieldRef === undefined
      ? item
      : { ...item, fieldRef: { ...item.fieldRef, apiVersion: item.fieldRef.apiVersion || 'v1' } },
  );
  return { ...source, items };
}
