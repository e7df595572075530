import { mapLimit } from '@podwright/concurrency';
import type { Container, Image, RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError, rethrowAsRpc, rpcErrorText } from '@podwright/errors';
import { imageKey } from './image-key.js';

// A kubelet that starts on a full node inspects every container; that must not delay the start of pods.
const parallelQuestions = 2;

/**
 * Finds the images that containers use, in any state, as their own image or as a volume. Source: kubernetes v1.36
 * pkg/kubelet/images/image_gc_manager.go detectImages, handleImageVolumes.
 */
export class ImagesInUse {
  // Mounts of a container do not change, so each container is inspected once.
  private mounted = new Map<string, readonly string[]>();

  constructor(
    private readonly service: Pick<RuntimeService, 'listContainers' | 'containerStatus'>,
    private readonly runtimeClassInImageCriApi: boolean,
  ) {}

  /** Keys of the images in use. Rejects when a container cannot be inspected: then no image counts as unused. */
  async find(images: readonly Image[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { containers } = await this.service.listContainers({}, { signal }).catch(rethrowAsRpc);
    const byContainer = await mapLimit(
      containers,
      parallelQuestions,
      ({ id }) => this.imagesMountedBy(id, signal),
      signal,
    );
    this.mounted = new Map(containers.map(({ id }, index) => [id, byContainer[index] ?? []]));
    const inUse = new Set(containers.map((container) => this.keyOf(container)));
    const mounted = new Set(byContainer.flat());
    for (const { id, spec } of images) {
      const runtimeHandler = spec?.runtimeHandler ?? '';
      if (mounted.has(id)) inUse.add(imageKey({ id, runtimeHandler }, this.runtimeClassInImageCriApi));
    }
    return inUse;
  }

  private keyOf({ imageId, imageRef, image }: Container): string {
    // A runtime without `imageId` has the id in the reference.
    const id = imageId === '' ? imageRef : imageId;
    return imageKey({ id, runtimeHandler: image?.runtimeHandler ?? '' }, this.runtimeClassInImageCriApi);
  }

  private async imagesMountedBy(containerId: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = this.mounted.get(containerId);
    if (known !== undefined) return known;
    try {
      const { status } = await this.service.containerStatus({ containerId }, { signal });
      return (status?.mounts ?? []).flatMap(({ image }) => (image?.image ? [image.image] : []));
    } catch (error) {
      // The container was removed after the list was made and uses no image any more.
      if (hasCode(error, 'not-found')) return [];
      throw new KubeletError(`get container status: ${rpcErrorText(error)}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    }
  }
}
