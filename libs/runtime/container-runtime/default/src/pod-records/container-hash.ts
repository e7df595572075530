import { fnv1a32, goJson, type Container } from '@podwright/kube-types';

/**
 * Hash of name and image, lower-case hex without padding; a running container is replaced when it changes. As upstream,
 * it covers Go's printed form of the JSON bytes. It must not change, because running containers carry it. Source:
 * kubernetes v1.36 pkg/kubelet/container/helpers.go HashContainer, pkg/util/hash/hash.go.
 */
export function containerHash(container: Pick<Container, 'name' | 'image'>): string {
  const json = goJson({ image: container.image ?? '', name: container.name });
  return fnv1a32(`([]uint8)[${Buffer.from(json).join(' ')}]`).toString(16);
}
