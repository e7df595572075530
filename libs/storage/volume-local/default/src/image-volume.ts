import type { VolumePlugin } from '@podwright/volume-interface';

/**
 * Images as volumes. The plugin does nothing: the container runtime pulls the image and mounts it into the containers.
 * Source: kubernetes v1.36 pkg/volume/image.
 */
export function createImageVolumePlugin(): VolumePlugin {
  return {
    name: 'kubernetes.io/image',
    canSupport: (volume) => volume.image !== undefined,
    newMounter: () => ({
      hostPath: '',
      readOnly: true,
      managed: false,
      selinuxRelabel: false,
      setUp: async () => undefined,
    }),
    tearDown: async () => undefined,
  };
}
