import type { Image } from '@podwright/cri-client-interface';
import type { NodeStatus } from '@podwright/kube-types';

/** Maximum number of names per image in the status. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go. */
const mostNames = 5;

/** The fields of an image that the status shows. */
export type ListedImage = Pick<Image, 'id' | 'repoDigests' | 'repoTags' | 'size'>;

/** Largest first, then larger id. Source: kubernetes v1.36 pkg/kubelet/util/sliceutils ByImageSize. */
export function imagesBySize(images: readonly ListedImage[]): readonly ListedImage[] {
  return [...images].sort((left, right) => {
    if (left.size !== right.size) return left.size > right.size ? -1 : 1;
    return left.id > right.id ? -1 : left.id < right.id ? 1 : 0;
  });
}

/** The first `most` of the sorted images; -1 for all. Digests precede tags. */
export function nodeImages(images: readonly ListedImage[], most: number): NonNullable<NodeStatus['images']> {
  return (most < 0 ? images : images.slice(0, most)).map(({ repoDigests, repoTags, size }) => ({
    names: [...repoDigests, ...repoTags].slice(0, mostNames),
    sizeBytes: Number(size),
  }));
}
