import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { ImageManager } from '@podwright/image-interface';
import type { Container, Pod, Secret } from '@podwright/kube-types';
import type { SandboxConfig } from '../sandbox/sandbox-config.js';

/** Per image volume of the pod: the image to mount, or why there is none. */
export type ImageVolumes = ReadonlyMap<
  string,
  { readonly image: DeepPartial<Mount>['image'] } | { readonly error: KubeletError }
>;

/**
 * Pulls the images that the pod mounts as volumes, one after another. Never rejects: a failure fails the containers
 * that mount the volume. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go getImageVolumes.
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

/** Mounts of the image volumes that the container uses; failures of these volumes as a list. */
export function imageMounts(
  container: Container,
  volumes: ImageVolumes,
): { readonly mounts: readonly DeepPartial<Mount>[]; readonly errors: readonly KubeletError[] } {
  const mounts: DeepPartial<Mount>[] = [];
  const errors: KubeletError[] = [];
  for (const { name, mountPath, subPath = '' } of container.volumeMounts ?? []) {
    const volume = volumes.get(name);
    if (volume === undefined) continue;
    if ('error' in volume) errors.push(volume.error);
    else mounts.push({ containerPath: mountPath, image: volume.image, imageSubPath: subPath, readonly: true });
  }
  return { mounts, errors };
}

/** What the API server writes into a pod that leaves the policy open. */
export function pullPolicyOf(policy: string | undefined, image: string): 'Always' | 'IfNotPresent' | 'Never' {
  if (policy === 'Always' || policy === 'IfNotPresent' || policy === 'Never') return policy;
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  const pinned = image.includes('@') || (lastPart.includes(':') && !lastPart.endsWith(':latest'));
  return pinned ? 'IfNotPresent' : 'Always';
}
