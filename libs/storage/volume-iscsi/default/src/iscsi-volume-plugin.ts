import { join } from 'node:path';
import { cleanMountPoint } from '@podwright/filesystem';
import { specName, type VolumePlugin } from '@podwright/volume-interface';
import { readChapSecret } from './chap-secret.js';
import { iscsiAttach, iscsiBlock, iscsiMounts } from './iscsi-devices.js';
import { iscsiSourceOf, pluginName } from './iscsi-disk.js';
import { IscsiMounter } from './iscsi-mounter.js';
import type { IscsiParts } from './iscsi-parts.js';
import { reconstructBlock, reconstructMounted } from './reconstruct.js';

/** Disks of iSCSI targets. Source: kubernetes v1.36 pkg/volume/iscsi. */
export function createIscsiVolumePlugin(parts: IscsiParts): VolumePlugin {
  const pathOf = (podDir: string, volumeName: string): string =>
    join(podDir, 'volumes', pluginName.replace('/', '~'), volumeName);
  return {
    name: pluginName,
    supportsMountOptions: true,
    supportsSeLinuxMount: () => true,
    canSupport: (volume, persistentVolume) =>
      (persistentVolume === undefined ? volume : persistentVolume.spec)?.iscsi !== undefined,
    volumeName: (spec) => {
      const { targetPortal, iqn, lun } = iscsiSourceOf(spec);
      return `${targetPortal}:${iqn}:${lun}`;
    },
    // Attaching reads the secret anew: it may take long until it comes to that.
    checkSource: async (spec) =>
      void (await readChapSecret(iscsiSourceOf(spec), parts.client, new AbortController().signal)),
    attachable: iscsiAttach(parts),
    deviceMountable: iscsiMounts(parts),
    block: iscsiBlock(parts),
    newMounter: (spec) => new IscsiMounter(parts, spec, pathOf(spec.podDir, specName(spec))),
    tearDown: (podDir, volumeName, signal) => cleanMountPoint(parts.mounts, pathOf(podDir, volumeName), signal),
    reconstruct: (podDir, volumeName, mode) =>
      mode === 'Block'
        ? reconstructBlock(parts, podDir, volumeName)
        : reconstructMounted(parts, pathOf(podDir, volumeName), volumeName),
  };
}
