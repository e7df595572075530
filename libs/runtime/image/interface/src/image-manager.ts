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
  /** What the pull events are about: the container of the pod. */
  readonly eventObject: EventObject;
  /** Handler of the runtime whose images are meant; sent only when given and not empty. */
  readonly runtimeHandler?: string;
  readonly signal?: AbortSignal;
}

/** Source: kubernetes v1.36 pkg/kubelet/images/image_manager.go. */
export interface ImageManager {
  /**
   * Resolves with the reference for ContainerConfig.image once the image is present by the pull policy. Rejects with a
   * KubeletError whose `reason` is the waiting reason (ErrImagePull, ImagePullBackOff, ErrImageNeverPull, ...) and
   * whose message is the waiting message. Records upstream's events itself.
   */
  ensureImageExists(request: EnsureImageRequest): Promise<{ readonly imageRef: string }>;
}

export const IMAGE_MANAGER = createToken<ImageManager>('kubelet.image-manager/v1');
