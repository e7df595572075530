import { specName, type AttachableVolumes } from '@podwright/volume-interface';
import { driverOptions } from './driver-options.js';
import type { FlexParts } from './flex-parts.js';

/** Source: kubernetes v1.36 pkg/volume/flexvolume/attacher.go, detacher.go. */
export function flexAttach({ driver, logger }: FlexParts): AttachableVolumes {
  return {
    canAttach: () => true,
    waitForAttach: async (spec, devicePath, signal) => {
      const answer = await driver.call('waitforattach', [devicePath, driverOptions(spec)], signal);
      return answer === undefined ? devicePath : answer.device;
    },
    attach: async (spec, nodeName, signal) => {
      const answer = await driver.call('attach', [driverOptions(spec), nodeName], signal);
      if (answer !== undefined) return answer.device;
      logger.warn('The driver attaches volumes, but does not know the command attach', {
        ...{ driver: driver.name, volume: specName(spec) },
      });
      return '';
    },
    detach: async (volumeName, nodeName, signal) => {
      await driver.call('detach', [volumeName, nodeName], signal);
    },
  };
}
