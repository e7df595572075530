import type { PodSpec, Volume } from '@podwright/kube-types';
import { dns1123Label } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import type { Volumes } from './volume-mounts.js';
import { validateProjected } from './projected-volume.js';
import { isKnownSource, validateSource } from './volume-sources.js';

/** Of the name of an iSCSI interface, which is made of the portal and the volume's name. */
const mostInterfaceBytes = 64;
const interfaceTooLong =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** Validates all volumes and returns them by name, for the validation of mounts. */
export function validateVolumes(spec: PodSpec, errors: FieldErrors): Volumes {
  const volumes = new Map<string, Volume>();
  (spec.volumes ?? []).forEach((volume, index) => {
    const field = `spec.volumes[${index}]`;
    validateOneSource(volume, field, errors);
    if (!volume.name) errors.required(`${field}.name`);
    else errors.rule(`${field}.name`, volume.name, dns1123Label(volume.name));
    if (volume.name && volumes.has(volume.name)) errors.duplicate(`${field}.name`, volume.name);
    volumes.set(volume.name, volume);
  });
  return volumes;
}

function validateOneSource(volume: Volume, field: string, errors: FieldErrors): void {
  const sources = Object.keys(volume).filter((key) => isKnownSource(key) && volume[key as keyof Volume] !== undefined);
  const [first, ...others] = sources;
  if (first === undefined) return errors.required(field, 'must specify a volume type');
  for (const other of others) errors.forbidden(`${field}.${other}`, 'may not specify more than 1 volume type');
  validateSource(volume, first, field, errors);
  const { name, iscsi } = volume;
  if (first === 'iscsi' && iscsi?.initiatorName !== undefined) {
    const length = Buffer.byteLength(`${name}:${iscsi.targetPortal}`);
    if (length > mostInterfaceBytes) errors.invalid(`${field}.name`, name, interfaceTooLong);
  }
  if (first === 'projected' && volume.projected) validateProjected(volume.projected, `${field}.projected`, errors);
  return undefined;
}
