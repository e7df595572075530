import { LruMap } from '@podwright/cache';
import type { ImageService } from '@podwright/cri-client-interface';
import type { ImageUser } from './run-as-non-root.js';

const mostImages = 500;
const contentAddress = /^(sha256:)?[0-9a-f]{64}$/;

/**
 * The user in an image's configuration. Cached by image id, which identifies the content and so never changes its
 * meaning. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go getImageUser.
 */
export class ImageUsers {
  private readonly known = new LruMap<ImageUser>(mostImages);

  constructor(private readonly images: Pick<ImageService, 'imageStatus'>) {}

  async userOf(imageRef: string): Promise<ImageUser> {
    const known = this.known.get(imageRef);
    if (known !== undefined) return known;
    const { image } = await this.images.imageStatus({ image: { image: imageRef } });
    const user = toUser(image?.uid?.value, image?.username);
    if (image !== undefined && contentAddress.test(imageRef)) this.known.set(imageRef, user);
    return user;
  }
}

function toUser(uid: bigint | undefined, username: string | undefined): ImageUser {
  if (uid !== undefined) return { uid };
  // An image without a user runs as root.
  return username === undefined || username === '' ? { uid: 0n } : { username };
}
