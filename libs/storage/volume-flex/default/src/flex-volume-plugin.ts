import { join } from 'node:path';
import { specName, type VolumePlugin } from '@podwright/volume-interface';
import type { DriverCapabilities } from './driver-answer.js';
import { flexAttach } from './flex-attach.js';
import { flexDevices } from './flex-devices.js';
import { flexExpansion } from './flex-expansion.js';
import type { FlexParts } from './flex-parts.js';
import { FlexMounter, tearDownFlexVolume } from './flex-mounter.js';

/**
 * The plugin of one driver. Only drivers that attach have volumes that are attached, and mounted once for all pods.
 * Source: kubernetes v1.36 pkg/volume/flexvolume/plugin.go.
 */
export function createFlexVolumePlugin(parts: FlexParts, capabilities: DriverCapabilities): VolumePlugin {
  const { name } = parts.driver;
  const pathOf = (podDir: string, volumeName: string): string =>
    join(podDir, 'volumes', name.replaceAll('/', '~'), volumeName);
  return {
    name,
    canSupport: (volume, persistentVolume) =>
      (persistentVolume === undefined ? volume : persistentVolume.spec)?.flexVolume?.driver === name,
    // Upstream asks the driver for a name, too, and does not use it.
    volumeName: specName,
    ...(capabilities.attach && { attachable: flexAttach(parts), deviceMountable: flexDevices(parts) }),
    expandable: flexExpansion(parts, capabilities),
    newMounter: (spec) => new FlexMounter(parts, capabilities, spec, pathOf(spec.podDir, specName(spec))),
    tearDown: (podDir, volumeName, signal) => tearDownFlexVolume(parts, pathOf(podDir, volumeName), signal),
    reconstruct: async (_podDir, volumeName) => ({ volume: { name: volumeName, flexVolume: { driver: name } } }),
  };
}
