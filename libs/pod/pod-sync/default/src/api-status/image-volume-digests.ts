import path from 'node:path';
import { newestRecord, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';

type MountStatuses = ContainerStatus['volumeMounts'];

const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/**
 * Adds the id of the mounted image to the status of each mount of an image volume. `imageId` resolves with undefined
 * when the id cannot be found now; the mount then keeps what it showed. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses (gate ImageVolumeWithDigest).
 */
export async function withImageVolumeDigests(
  status: PodStatus,
  pod: Pod,
  runtime: RuntimePodStatus,
  imageId: (image: string) => Promise<string | undefined>,
): Promise<PodStatus> {
  const imageVolumes = new Set((pod.spec.volumes ?? []).flatMap(({ name, image }) => (image ? [name] : [])));
  if (imageVolumes.size === 0) return status;

  const shown = async (container: ContainerStatus): Promise<ContainerStatus> => {
    const record = newestRecord(runtime, container.name);
    const mounts = container.volumeMounts ?? [];
    if (record === undefined || !mounts.some(({ name }) => imageVolumes.has(name))) return container;
    const volumeMounts: NonNullable<MountStatuses>[number][] = [];
    for (const mount of mounts) {
      // The runtime does not know the names of volumes, but where it has mounted them.
      const mounted = record.cri.mounts.find(({ containerPath }) => samePath(containerPath, mount.mountPath));
      const image = imageVolumes.has(mount.name) ? (mounted?.image?.image ?? '') : '';
      const imageRef = image === '' ? undefined : await imageId(image);
      volumeMounts.push(imageRef === undefined ? mount : { ...mount, ...{ volumeStatus: { image: { imageRef } } } });
    }
    return { ...container, volumeMounts };
  };

  const changed: Partial<Record<(typeof lists)[number], ContainerStatus[]>> = {};
  for (const list of lists) {
    const containers = status[list];
    if (containers !== undefined) changed[list] = await Promise.all(containers.map(shown));
  }
  return { ...status, ...changed };
}

const samePath = (left: string, right: string): boolean =>
  path.posix.resolve('/', left) === path.posix.resolve('/', right);
