import { KubeletError } from '@podwright/errors';
import type { VolumePlugin } from '@podwright/volume-interface';
import { blockPaths } from './block/block-paths.js';
import { CsiBlockMapper } from './block/csi-block-mapper.js';
import type { CsiVolumeDeps, CsiVolumeOptions } from './csi-volume-deps.js';
import { CsiVolumes } from './csi-volumes.js';
import { CsiExpander } from './expand/csi-expander.js';
import { csiAttach } from './mount/csi-attach.js';
import { CsiDeviceMount } from './mount/csi-device-mount.js';
import { CsiMounter } from './mount/csi-mounter.js';
import { driverNameOf, persistentCsiOf } from './mount/csi-source.js';
import { findDevices } from './mount/find-devices.js';
import { reconstructVolume } from './mount/reconstruct.js';
import { tearDownVolume } from './mount/tear-down.js';
import { csiPluginName, podVolumeFolder } from './mount/volume-paths.js';

/** Volumes of CSI drivers. Source: kubernetes v1.36 pkg/volume/csi. */
export function createCsiVolumePlugin(deps: CsiVolumeDeps, options: CsiVolumeOptions): VolumePlugin {
  const volumes = new CsiVolumes(deps, options);
  return {
    name: csiPluginName,
    supportsMountOptions: true,
    canSupport: (volume, persistentVolume) => (persistentVolume?.spec?.csi ?? volume.csi) !== undefined,
    // A driver whose object is not known yet is asked again at the next sync of the pod.
    requiresRemount: (spec) => knownOr(false, () => volumes.rules.requiresRepublish(driverNameOf(spec))),
    supportsSeLinuxMount: (spec) => volumes.rules.seLinuxMount(driverNameOf(spec)),
    volumeName: (spec) => {
      const { driver, volumeHandle } = persistentCsiOf(spec);
      return `${driver}^${volumeHandle}`;
    },
    newMounter: (spec) => new CsiMounter(volumes, spec),
    tearDown: (podDir, volumeName, signal = new AbortController().signal) =>
      tearDownVolume(volumes, podDir, volumeName, signal),
    reconstruct: (podDir, volumeName, mode) =>
      reconstructVolume(
        mode === 'Block' ? blockPaths(options.rootDir, volumeName).data : podVolumeFolder(podDir, volumeName),
        volumeName,
        mode,
      ),
    findDevices: () => findDevices(options.rootDir, deps),
    attachable: csiAttach(volumes),
    deviceMountable: new CsiDeviceMount(volumes),
    block: { newMapper: (spec) => new CsiBlockMapper(volumes, spec) },
    expandable: new CsiExpander(volumes),
  };
}

function knownOr<T>(unknown: T, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (KubeletError.from(error).code === 'unavailable') return unknown;
    throw error;
  }
}
