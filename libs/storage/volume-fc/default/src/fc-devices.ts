import { join } from 'node:path';
import { cleanMountPoint, deviceOfMount, isMountPoint, mountOnce, removeOneFileSystem } from '@podwright/filesystem';
import { seLinuxMountOption } from '@podwright/selinux';
import {
  isReadOnlySpec,
  joinMountOptions,
  mountOptionsOf,
  type AttachableVolumes,
  type BlockVolumes,
  type DeviceMountableVolumes,
} from '@podwright/volume-interface';
import { fcDiskOf, fcFolderName, fcFolders, fcSourceOf, parseFcFolder } from './fc-disk.js';
import type { FcParts } from './fc-parts.js';
import { findDisk, searchDisk } from './find-disk.js';
import { removeDisk, removeDiskPatiently } from './remove-disk.js';

/** Nothing is attached by a controller; waiting means to search. Source: kubernetes v1.36 pkg/volume/fc/attacher.go. */
export function fcAttach(parts: FcParts): AttachableVolumes {
  return {
    canAttach: () => true,
    waitForAttach: async (spec) => searchDisk(fcDiskOf(spec), parts),
    attach: async () => '',
    detach: async () => undefined,
  };
}

export function fcMounts(parts: FcParts): DeviceMountableVolumes {
  const { mounts, disks, logger, pluginsDir } = parts;
  return {
    canDeviceMount: () => true,
    deviceMountPath: async (spec) => join(fcFolders(pluginsDir).mounts, fcFolderName(fcDiskOf(spec))),
    mountDevice: async (spec, target, { devicePath: source, seLinuxLabel = '' }, signal) => {
      const label = seLinuxLabel === '' ? [] : [seLinuxMountOption(seLinuxLabel)];
      const given = spec.persistentVolume === undefined ? [] : mountOptionsOf(spec.persistentVolume);
      const options = joinMountOptions(given, [...(isReadOnlySpec(spec) ? ['ro'] : []), ...label]);
      const { fsType = '' } = fcSourceOf(spec);
      const mount = (): Promise<void> => disks.formatAndMount({ source, target, fsType, options, signal });
      const onLeft = (error: unknown): void => logger.warn('fc: a failed mount leaves something', { target, error });
      await mountOnce({ mounts, target, mount, onLeft }, signal);
    },
    unmountDevice: async (target, signal) => {
      // Never touches the file system: that of a lost disk may be broken.
      const mounted = (await isMountPoint(mounts, target)) ? (await deviceOfMount(mounts, target)).device : undefined;
      await cleanMountPoint(mounts, target, signal);
      // After a crash in between, the name of the folder still tells which disk it was.
      const device = mounted ?? (await findDisk(parseFcFolder(target), parts))?.path;
      if (device !== undefined) await removeDiskPatiently(device, parts, signal);
    },
  };
}

export function fcBlock(parts: FcParts): BlockVolumes {
  return {
    newMapper: (spec) => {
      const disk = fcDiskOf(spec);
      const globalMapPath = join(fcFolders(parts.pluginsDir).devices, fcFolderName(disk));
      const tearDownDevice = async (devicePath: string, signal: AbortSignal): Promise<void> => {
        const device = devicePath === '' ? (await findDisk(disk, parts))?.path : devicePath;
        if (device !== undefined) await removeDisk(device, parts, signal);
        await removeOneFileSystem(globalMapPath);
      };
      return { globalMapPath, usage: 'block', tearDownDevice };
    },
  };
}
