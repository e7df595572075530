import type { ContainerSurroundings } from '@podwright/container-environment-interface';
import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { ImageManager } from '@podwright/image-interface';
import type { Container, Pod, Secret } from '@podwright/kube-types';
import type { SandboxConfig } from '../sandbox/sandbox-config.js';

/** For each image volume of the pod, the image to mount or the error. */
export type ImageVolumes = ReadonlyMap<
  string,
  { readonly image: DeepPartial<Mount>['image'] } | { readonly error: KubeletError }
>;

/**
 * Pulls the images of the pod's image volumes, one after the other. Never rejects: a failure fails the containers that
 * mount the volume. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go getImageVolumes.
 */
export async function pullImageVolumes(
  images: ImageManager,
  pod: Pod,
  sandboxConfig: SandboxConfig,
  pullSecrets: readonly Secret[],
  signal?: AbortSignal,
): Promise<ImageVolumes> {
  const volumes = new Map<string, { image: DeepPartial<Mount>['image'] } | { error: KubeletError }>();
  for (const { name, image } of pod.spec.volumes ?? []) {
    if (image === undefined) continue;
    const reference = image.reference ?? '';
    try {
      const { imageRef } = await images.ensureImageExists({
        pod,
        image: reference,
        pullPolicy: pullPolicyOf(image.pullPolicy, reference),
        pullSecrets,
        sandboxConfig,
        eventObject: { kind: 'Pod', pod },
        ...(signal !== undefined && { signal }),
      });
      const annotations = pod.metadata.annotations ?? {};
      volumes.set(name, { image: { image: imageRef, userSpecifiedImage: reference, annotations } });
    } catch (error) {
      volumes.set(name, { error: KubeletError.from(error) });
    }
  }
  return volumes;
}

/** Names of the image volumes that the container mounts, one for each mount, and the errors of those that could not be pulled. */
export function imagesOf(
  container: Container,
  volumes: ImageVolumes,
): { readonly mounted: readonly string[]; readonly errors: readonly KubeletError[] } {
  const found = (container.volumeMounts ?? []).map(({ name }) => ({ name, volume: volumes.get(name) }));
  return {
    mounted: found.flatMap(({ name, volume }) => (volume !== undefined && 'image' in volume ? [name] : [])),
    errors: found.flatMap(({ volume }) => (volume !== undefined && 'error' in volume ? [volume.error] : [])),
  };
}

/** The container's mounts of image volumes, with their images. */
export function imageMounts(
  { imageMounts: mounts = [] }: Pick<ContainerSurroundings, 'imageMounts'>,
  volumes: ImageVolumes,
): readonly DeepPartial<Mount>[] {
  return mounts.flatMap(({ volumeName, mount }) => {
    const volume = volumes.get(volumeName);
    return volume === undefined || 'error' in volume ? [] : [{ ...mount, image: volume.image }];
  });
}

/** The pull policy, with the API server's default when the pod has none. */
export function pullPolicyOf(policy: string | undefined, image: string): 'Always' | 'IfNotPresent' | 'Never' {
  if (policy === 'Always' || policy === 'IfNotPresent' || policy === 'Never') return policy;
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  const pinned = image.includes('@') || (lastPart.includes(':') && !lastPart.endsWith(':latest'));
  return pinned ? 'IfNotPresent' : 'Always';
}
