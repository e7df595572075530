import path from 'node:path';
import type { Volume } from '@podwright/kube-types';
import { isReadOnlySpec, specName, type VolumePlugin } from '@podwright/volume-interface';

const pluginName = 'podwright.dev/hollow';
/** The kinds whose content comes from the API server: the node really reads and writes them. */
const fromApi: readonly (keyof Volume)[] = ['configMap', 'secret', 'downwardAPI', 'projected'];

/**
 * Mounts nothing, for every kind of volume that would need a disk, a driver or the host: the pod's containers start as
 * if it were there.
 */
export const hollowVolumes: VolumePlugin = {
  name: pluginName,
  supportsMountOptions: true,
  canSupport: (volume, persistentVolume) =>
    persistentVolume !== undefined || !fromApi.some((kind) => volume[kind] !== undefined),
  newMounter: (spec) => ({
    hostPath: path.join(spec.podDir, 'volumes', pluginName.replace('/', '~'), specName(spec)),
    readOnly: isReadOnlySpec(spec),
    managed: false,
    selinuxRelabel: false,
    setUp: async () => undefined,
  }),
  tearDown: async () => undefined,
};
