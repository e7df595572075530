import type { VolumePlugin } from '@podwright/volume-interface';

/**
 * Images as volumes. Nothing is done here: the container runtime pulls the image and mounts it into the containers.
 * Source: kubernetes v1.36 pkg/volume/image.
 */
export function createImageVolumePlugin(): VolumePlugin {
  return {
    name: 'kubernetes.io/image',
    canSupport: (volume) => volume.image !== undefined,
    newMounter: () => ({
      hostPath: '',
      readOnly: true,
      managed: true,
      selinuxRelabel: true,
      setUp: async () => undefined,
    }),
    tearDown: async () => undefined,
  };
}
