import { status } from '@grpc/grpc-js';
import { StatusError } from '@podwright/grpc';
import { VolumeCapability_AccessMode_Mode as modes, type VolumeCapability } from '@podwright/volume-csi-interface';
import type { VolumeAccess } from '../volumes/node-volume.js';

/** Refuses a request without one of its required fields, as the protocol demands. */
export function required(fields: Readonly<Record<string, string>>): void {
  const missing = Object.entries(fields).find(([, value]) => value === '');
  if (missing !== undefined) throw new StatusError(status.INVALID_ARGUMENT, `${missing[0]} is missing`);
}

export function accessOf(capability: VolumeCapability | undefined): VolumeAccess {
  if (capability?.block !== undefined) return 'block';
  if (capability?.mount === undefined) {
    throw new StatusError(status.INVALID_ARGUMENT, 'volume_capability says neither mount nor block');
  }
  const { fsType, mountFlags, volumeMountGroup } = capability.mount;
  if (!/^\d*$/.test(volumeMountGroup)) {
    throw new StatusError(status.INVALID_ARGUMENT, `volume_mount_group is a number, not ${volumeMountGroup}`);
  }
  return { fsType, flags: mountFlags, mountGroup: volumeMountGroup };
}

/** Whether only one target may have the volume. */
export function isExclusive(capability: VolumeCapability | undefined): boolean {
  return capability?.accessMode?.mode === modes.SINGLE_NODE_SINGLE_WRITER;
}
