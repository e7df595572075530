import type { ImageManager } from '@podwright/image-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';

/**
 * An image manager that pulls for the pod's runtime handler, because a handler may store its images separately. Used
 * with feature gate RuntimeClassInImageCriApi. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_container.go getPodRuntimeHandler.
 */
export function imagesOfHandler(images: ImageManager, classes: Pick<RuntimeClasses, 'handlerOf'>): ImageManager {
  return {
    ensureImageExists: async (request) =>
      images.ensureImageExists({ ...request, runtimeHandler: classes.handlerOf(request.pod.spec.runtimeClassName) }),
  };
}
