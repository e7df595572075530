import { KubeletError } from '@podwright/errors';
import { goJson, goMap } from '@podwright/kube-types';
import { isReadOnlySpec, specName, type VolumeSpec } from '@podwright/volume-interface';

export interface FlexSource {
  readonly driver: string;
  readonly fsType: string;
  readonly options: Readonly<Record<string, string>>;
  readonly secret: { readonly name: string; readonly namespace: string } | undefined;
}

/** What a FlexVolume's source says, in a pod or in a PersistentVolume. Throws for a volume of another kind. */
export function flexSourceOf({ volume, persistentVolume, pod }: VolumeSpec): FlexSource {
  const source = persistentVolume === undefined ? volume.flexVolume : persistentVolume.spec?.flexVolume;
  if (source === undefined) throw new KubeletError('not a flex volume', { code: 'invalid-argument' });
  const { driver, fsType = '', options = {}, secretRef } = source;
  const podNamespace = pod.metadata.namespace ?? '';
  // Only the secret of a PersistentVolume may have a namespace of its own.
  const ownNamespace = persistentVolume?.spec?.flexVolume?.secretRef?.namespace ?? '';
  const secret = { name: secretRef?.name ?? '', namespace: ownNamespace === '' ? podNamespace : ownNamespace };
  return { driver, fsType, options, secret: secret.name === '' || secret.namespace === '' ? undefined : secret };
}

/**
 * The options of a call as JSON: those of the volume win over all others. Source: kubernetes v1.36
 * pkg/volume/flexvolume/driver-call.go NewOptionsForDriver.
 */
export function driverOptions(spec: VolumeSpec, extra: Readonly<Record<string, string>> = {}): string {
  const { fsType, options } = flexSourceOf(spec);
  const all = {
    'kubernetes.io/fsType': fsType,
    'kubernetes.io/readwrite': isReadOnlySpec(spec) ? 'ro' : 'rw',
    'kubernetes.io/pvOrVolumeName': specName(spec),
    ...extra,
    ...options,
  };
  return goJson(goMap(Object.entries(all)));
}

/** What only `mount` learns: whom the volume is for. Source: kubernetes v1.36 pkg/volume/flexvolume/mounter.go. */
export function podOptions({ pod }: VolumeSpec): Readonly<Record<string, string>> {
  const fsGroup = pod.spec.securityContext?.fsGroup;
  return {
    'kubernetes.io/pod.name': pod.metadata.name ?? '',
    'kubernetes.io/pod.namespace': pod.metadata.namespace ?? '',
    'kubernetes.io/pod.uid': pod.metadata.uid ?? '',
    'kubernetes.io/serviceAccount.name': pod.spec.serviceAccountName ?? '',
    ...(fsGroup !== undefined && { 'kubernetes.io/mounterArgs.FsGroup': String(fsGroup) }),
  };
}
