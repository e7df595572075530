import type { ImageManager } from '@podwright/image-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';

/**
 * Images as the pod's own runtime handler sees them: a handler may keep images of its own. Only with the feature gate
 * RuntimeClassInImageCriApi. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go
 * getPodRuntimeHandler.
 */
export function imagesOfHandler(images: ImageManager, classes: Pick<RuntimeClasses, 'handlerOf'>): ImageManager {
  return {
    ensureImageExists: async (request) =>
      images.ensureImageExists({ ...request, runtimeHandler: classes.handlerOf(request.pod.spec.runtimeClassName) }),
  };
}
