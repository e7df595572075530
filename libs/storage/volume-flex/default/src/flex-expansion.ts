import { KubeletError } from '@podwright/errors';
import { specName, type ExpandableVolumes } from '@podwright/volume-interface';
import type { DriverCapabilities } from './driver-answer.js';
import { driverOptions } from './driver-options.js';
import type { FlexParts } from './flex-parts.js';

/** Source: kubernetes v1.36 pkg/volume/flexvolume/expander.go, expander-defaults.go. */
export function flexExpansion(parts: FlexParts, capabilities: DriverCapabilities): ExpandableVolumes {
  return {
    requiresFsResize: () => capabilities.requiresFSResize,
    nodeExpand: async ({ spec, devicePath, deviceMountPath, newBytes, oldBytes }, signal) => {
      if (spec.persistentVolume === undefined) {
        const message = `PersistentVolume not found for spec: ${specName(spec)}`;
        throw new KubeletError(message, { code: 'internal' });
      }
      const args = [driverOptions(spec), devicePath, deviceMountPath, String(newBytes), String(oldBytes)];
      const answer = await parts.driver.call('expandfs', args, signal);
      if (answer === undefined) await parts.disks.resize(devicePath, deviceMountPath, signal);
    },
  };
}
