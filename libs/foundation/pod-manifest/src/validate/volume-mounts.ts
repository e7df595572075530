import type { Container, Volume, VolumeMount } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLocalDescendingPath } from './paths.js';

type Mounting = Pick<Container, 'volumeMounts' | 'volumeDevices' | 'securityContext'>;
/** The volumes of the pod by name. */
export type Volumes = ReadonlyMap<string, Volume>;

export function validateVolumeMounts(container: Mounting, path: string, volumes: Volumes, errors: FieldErrors): void {
  const mountPaths = new Set<string>();
  const devicePaths = new Set((container.volumeDevices ?? []).map(({ devicePath }) => devicePath));
  const deviceNames = new Set((container.volumeDevices ?? []).map(({ name }) => name));
  (container.volumeMounts ?? []).forEach((mount, index) => {
    const field = `${path}.volumeMounts[${index}]`;
    if (!mount.name) errors.required(`${field}.name`);
    else if (!volumes.has(mount.name)) errors.notFound(`${field}.name`, mount.name);
    if (!mount.mountPath) errors.required(`${field}.mountPath`);
    if (mountPaths.has(mount.mountPath)) errors.invalid(`${field}.mountPath`, mount.mountPath, 'must be unique');
    mountPaths.add(mount.mountPath);
    if (deviceNames.has(mount.name))
      errors.invalid(`${field}.name`, mount.name, 'must not already exist in volumeDevices');
    if (devicePaths.has(mount.mountPath)) {
      errors.invalid(`${field}.mountPath`, mount.mountPath, 'must not already exist as a path in volumeDevices');
    }
    validateSubPaths(mount, field, errors);
    validatePropagation(mount, container, `${field}.mountPropagation`, errors);
    validateRecursiveReadOnly(mount, `${field}.recursiveReadOnly`, errors);
  });
}

function validateSubPaths(mount: VolumeMount, field: string, errors: FieldErrors): void {
  if (mount.subPath) validateLocalDescendingPath(mount.subPath, `${field}.subPath`, errors);
  if (!mount.subPathExpr) return;
  if (mount.subPath) {
    errors.invalid(`${field}.subPathExpr`, mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive');
  }
  validateLocalDescendingPath(mount.subPathExpr, `${field}.subPathExpr`, errors);
}

function validatePropagation(mount: VolumeMount, container: Mounting, field: string, errors: FieldErrors): void {
  errors.oneOf(field, mount.mountPropagation, ['Bidirectional', 'HostToContainer', 'None']);
  if (mount.mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
    errors.forbidden(field, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateRecursiveReadOnly(mount: VolumeMount, field: string, errors: FieldErrors): void {
  const mode = mount.recursiveReadOnly;
  errors.oneOf(field, mode, ['Disabled', 'Enabled', 'IfPossible']);
  if (mode !== 'Enabled' && mode !== 'IfPossible') return;
  if (mount.readOnly !== true) errors.forbidden(field, 'may only be specified when readOnly is true');
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== 'None') {
    errors.forbidden(field, 'may only be specified when mountPropagation is None or not specified');
  }
}

export function validateVolumeDevices(container: Mounting, path: string, volumes: Volumes, errors: FieldErrors): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  (container.volumeDevices ?? []).forEach(({ name, devicePath }, index) => {
    const field = `${path}.volumeDevices[${index}]`;
    if (!name) errors.required(`${field}.name`);
    if (names.has(name)) errors.invalid(`${field}.name`, name, 'must be unique');
    names.add(name);
    const volume = volumes.get(name);
    if (name && volume === undefined) errors.notFound(`${field}.name`, name);
    if (volume !== undefined && volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      errors.invalid(
        `${field}.name`,
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      );
    }
    if (!devicePath) errors.required(`${field}.devicePath`);
    if (paths.has(devicePath)) errors.invalid(`${field}.devicePath`, devicePath, 'must be unique');
    paths.add(devicePath);
    if (devicePath.split('/').includes('..')) {
      errors.invalid(`${field}.devicePath`, devicePath, "can not contain backsteps ('..')");
    }
  });
}
