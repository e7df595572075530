import type { Volume } from '@podwright/kube-types';
import { canonicalQuantity } from '@podwright/kube-types';
import type { Description } from './description.js';
import { shortened } from './description.js';

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeVolumes. */
export function describeVolumes(description: Description, volumes: readonly Volume[] = []): void {
  if (volumes.length === 0) return description.line(0, 'Volumes:\t<none>');
  description.line(0, 'Volumes:');
  for (const volume of volumes) {
    description.line(1, `${volume.name}:`);
    const source = knownSource(volume);
    if (source === undefined) description.line(1, '<unknown>');
    else for (const line of source) description.line(2, line);
  }
}

type Field = readonly [name: string, value: string | number | boolean | undefined];

function source(type: string, fields: readonly Field[]): readonly string[] {
  return [`Type:\t${type}`, ...fields.map(([name, value]) => `${name}:\t${String(value ?? '')}`)];
}

// The kinds that a kubelet without an API server can mount.
function knownSource(volume: Volume): readonly string[] | undefined {
  const { hostPath, emptyDir, secret, configMap, nfs, downwardAPI, projected, csi, image } = volume;
  if (hostPath !== undefined) {
    return source('HostPath (bare host directory volume)', [
      ['Path', hostPath.path],
      ['HostPathType', hostPath.type ?? '<none>'],
    ]);
  }
  if (emptyDir !== undefined) {
    const limit = emptyDir.sizeLimit === undefined ? '0' : canonicalQuantity(emptyDir.sizeLimit);
    return source("EmptyDir (a temporary directory that shares a pod's lifetime)", [
      ['Medium', emptyDir.medium],
      ['SizeLimit', limit === '0' ? '<unset>' : limit],
    ]);
  }
  if (secret !== undefined) {
    return source('Secret (a volume populated by a Secret)', [
      ['SecretName', secret.secretName],
      ['Optional', secret.optional ?? false],
    ]);
  }
  if (configMap !== undefined) {
    return source('ConfigMap (a volume populated by a ConfigMap)', [
      ['Name', configMap.name],
      ['Optional', configMap.optional ?? false],
    ]);
  }
  if (nfs !== undefined) {
    return source('NFS (an NFS mount that lasts the lifetime of a pod)', [
      ['Server', nfs.server],
      ['Path', nfs.path],
      ['ReadOnly', nfs.readOnly ?? false],
    ]);
  }
  if (downwardAPI !== undefined) return downwardSource(downwardAPI);
  if (projected !== undefined) return projectedSource(projected);
  if (csi !== undefined) return csiSource(csi);
  if (image === undefined) return undefined;
  return source('Image (a container image or OCI artifact)', [
    ['Reference', image.reference],
    ['PullPolicy', image.pullPolicy],
  ]);
}

function downwardSource({ items = [] }: NonNullable<Volume['downwardAPI']>): readonly string[] {
  const shown = items.flatMap(({ fieldRef, resourceFieldRef, path }) =>
    [fieldRef?.fieldPath, resourceFieldRef?.resource]
      .filter((from) => from !== undefined)
      .map((from) => `  ${from} -> ${path}`),
  );
  return ['Type:\tDownwardAPI (a volume populated by information about the pod)', 'Items:', ...shown];
}

function projectedSource({ sources = [] }: NonNullable<Volume['projected']>): readonly string[] {
  const lines = sources.flatMap(({ secret, downwardAPI, configMap, serviceAccountToken }) => {
    if (secret !== undefined) return [`SecretName:\t${secret.name ?? ''}`, `Optional:\t${secret.optional ?? false}`];
    if (downwardAPI !== undefined) return ['DownwardAPI:\ttrue'];
    if (configMap !== undefined)
      return [`ConfigMapName:\t${configMap.name ?? ''}`, `Optional:\t${configMap.optional ?? false}`];
    return serviceAccountToken === undefined
      ? []
      : [`TokenExpirationSeconds:\t${serviceAccountToken.expirationSeconds ?? 3600}`];
  });
  return ['Type:\tProjected (a volume that contains injected data from multiple sources)', ...lines];
}

function csiSource({ driver, fsType, readOnly, volumeAttributes = {} }: NonNullable<Volume['csi']>): readonly string[] {
  const attributes = Object.keys(volumeAttributes)
    .sort()
    .map((key) => shortened(`${key}=${volumeAttributes[key] ?? ''}`, 140));
  // Upstream indents each attribute once more than its neighbours.
  const [first = '<none>', ...others] = attributes.map((attribute) => `    ${attribute}`);
  return [
    ...source('CSI (a Container Storage Interface (CSI) volume source)', [
      ['Driver', driver],
      ['FSType', fsType],
      ['ReadOnly', readOnly ?? false],
    ]),
    `VolumeAttributes:\t${first}`,
    ...others.map((attribute) => `    \t${attribute}`),
  ];
}
