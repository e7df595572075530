import { cleanMountPoint, isMountPoint } from '@podwright/filesystem';
import { isReadOnlySpec, specName, type DeviceMountableVolumes } from '@podwright/volume-interface';
import { driverOptions, flexSourceOf } from './driver-options.js';
import { isThere, mountByDriver, removeDirectory } from './flex-directory.js';
import { deviceMountPathOf, type FlexParts } from './flex-parts.js';

/** Source: kubernetes v1.36 pkg/volume/flexvolume/attacher.go, attacher-defaults.go, detacher.go. */
export function flexDevices(parts: FlexParts): DeviceMountableVolumes {
  const { driver, mounts, disks } = parts;
  return {
    canDeviceMount: () => true,
    deviceMountPath: async (spec) => deviceMountPathOf(parts, specName(spec)),
    mountDevice: async (spec, target, { devicePath }, signal) => {
      const mount = async (): Promise<void> => {
        const answer = await driver.call('mountdevice', [target, devicePath, driverOptions(spec)], signal);
        // A driver without devices has nothing to mount once for all pods.
        if (answer !== undefined || devicePath === '') return;
        const [{ fsType }, options] = [flexSourceOf(spec), [isReadOnlySpec(spec) ? 'ro' : 'rw']];
        await disks.formatAndMount({ source: devicePath, target, fsType, options, signal });
      };
      await mountByDriver(parts, target, mount, signal);
    },
    unmountDevice: async (target, signal) => {
      if (!(await isThere(target, mounts))) return;
      if (await isMountPoint(mounts, target)) {
        const answer = await driver.call('unmountdevice', [target], signal);
        if (answer === undefined) await cleanMountPoint(mounts, target, signal);
      }
      await removeDirectory(target);
    },
  };
}
