import { createToken } from '@podwright/assembly-interface';
import type { DeepPartial, PodSandboxConfig } from '@podwright/cri-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import type { EventObject } from '@podwright/events-interface';

export interface EnsureImageRequest {
  readonly pod: Pod;
  /** Image as written in the spec. */
  readonly image: string;
  readonly pullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  readonly pullSecrets: readonly Secret[];
  readonly sandboxConfig: DeepPartial<PodSandboxConfig>;
  /** Object of the pull events: the container of the pod. */
  readonly eventObject: EventObject;
  /** Runtime handler whose images to use; sent to the runtime unless absent or empty. */
  readonly runtimeHandler?: string;
  readonly signal?: AbortSignal;
}

/** Makes sure that images are present. Source: kubernetes v1.36 pkg/kubelet/images/image_manager.go. */
export interface ImageManager {
  /**
   * Pulls the image when the pull policy requires it, and resolves with the reference for ContainerConfig.image.
   * Rejects with a KubeletError that has the container's waiting reason as `reason` (ErrImagePull, ImagePullBackOff,
   * ErrImageNeverPull, ...) and its waiting message as message. Records upstream's events.
   */
  ensureImageExists(request: EnsureImageRequest): Promise<{ readonly imageRef: string }>;
}

export const IMAGE_MANAGER = createToken<ImageManager>('kubelet.image-manager/v1');
