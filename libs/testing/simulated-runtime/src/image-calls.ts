import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';
import type { ImageStore } from './image-store.js';
import { unknown } from './runtime-errors.js';

/** The calls of the CRI ImageService. */
export class ImageCalls {
  constructor(private readonly store: ImageStore) {}

  list(_request: DeepPartial<cri.ListImagesRequest>): cri.ListImagesResponse {
    // Like containerd, ignores the filter.
    return { images: this.store.list() };
  }

  status({ image }: DeepPartial<cri.ImageStatusRequest>): cri.ImageStatusResponse {
    const found = this.store.find(referenceOf(image));
    return { image: found && structuredClone(found), info: {} };
  }

  async pull({ image, auth }: DeepPartial<cri.PullImageRequest>, signal: AbortSignal): Promise<cri.PullImageResponse> {
    return { imageRef: await this.store.pull(referenceOf(image), auth, signal) };
  }

  remove({ image }: DeepPartial<cri.RemoveImageRequest>): cri.RemoveImageResponse {
    this.store.remove(referenceOf(image));
    return {};
  }
}

function referenceOf(image: DeepPartial<cri.ImageSpec> | undefined): string {
  if (image?.image) return image.image;
  throw unknown('can not resolve "" locally: ambiguous digest string');
}
