import { mkdir } from 'node:fs/promises';
import { isMountPoint } from '@podwright/filesystem';
import { seLinuxMountOption } from '@podwright/selinux';
import {
  isReadOnlySpec,
  joinMountOptions,
  mountOptionsOf,
  uncertainProgress,
  type AttachableVolumes,
  type BlockVolumes,
  type DeviceMountableVolumes,
} from '@podwright/volume-interface';
import { attachDisk } from './attach-disk.js';
import { readChapSecret } from './chap-secret.js';
import { detachBlockDisk, detachMountedDisk } from './detach-disk.js';
import { diskFolder, iscsiFolders, iscsiSourceOf } from './iscsi-disk.js';
import type { IscsiParts } from './iscsi-parts.js';

/** Logging in is what counts as waiting; nothing is attached by a controller. Source: pkg/volume/iscsi/attacher.go. */
export function iscsiAttach(parts: IscsiParts): AttachableVolumes {
  return {
    canAttach: () => true,
    waitForAttach: async (spec, _devicePath, signal) => {
      const source = iscsiSourceOf(spec);
      const secret = await readChapSecret(source, parts.client, signal);
      const mode = spec.persistentVolume?.spec?.volumeMode === 'Block' ? 'Block' : 'Filesystem';
      return attachDisk(parts, { source, secret, mode }, signal);
    },
    attach: async () => '',
    detach: async () => undefined,
  };
}

export function iscsiMounts(parts: IscsiParts): DeviceMountableVolumes {
  const { mounts, disks, pluginsDir } = parts;
  return {
    canDeviceMount: () => true,
    deviceMountPath: async (spec) => diskFolder(iscsiFolders(pluginsDir).mounts, iscsiSourceOf(spec)),
    mountDevice: async (spec, target, { devicePath: source, seLinuxLabel = '' }, signal) => {
      // The folder stays when this fails: it has what detaching needs.
      await mkdir(target, { recursive: true, mode: 0o750 });
      if (await isMountPoint(mounts, target)) return;
      const own = [
        ...(isReadOnlySpec(spec) ? ['ro'] : []),
        ...(seLinuxLabel === '' ? [] : [seLinuxMountOption(seLinuxLabel)]),
      ];
      const given = spec.persistentVolume === undefined ? [] : mountOptionsOf(spec.persistentVolume);
      const { fsType } = iscsiSourceOf(spec);
      const options = joinMountOptions(given, own);
      await disks.formatAndMount({ source, target, fsType, options, signal }).catch((error: unknown) => {
        // The session must end even when no pod ever gets the volume.
        throw uncertainProgress(error);
      });
    },
    unmountDevice: (target, signal) => detachMountedDisk(parts, target, signal),
  };
}

export function iscsiBlock(parts: IscsiParts): BlockVolumes {
  return {
    newMapper: (spec) => {
      const globalMapPath = diskFolder(iscsiFolders(parts.pluginsDir).devices, iscsiSourceOf(spec));
      return {
        globalMapPath,
        usage: 'block',
        tearDownDevice: (_devicePath, signal) => detachBlockDisk(parts, globalMapPath, signal),
      };
    },
  };
}
