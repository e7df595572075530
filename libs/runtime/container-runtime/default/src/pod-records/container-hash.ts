import { fnv1a32 } from '@podwright/checkpoint';
import type { Container } from '@podwright/kube-types';
import { goJson } from './go-json.js';

/**
 * The hash whose change makes a running container be replaced, lower-case hex without padding. Only name and image
 * count. It covers Go's printed form of the JSON bytes, oddly, and must not change: running containers carry it.
 * Source: kubernetes v1.36 pkg/kubelet/container/helpers.go HashContainer, pkg/util/hash/hash.go.
 */
export function containerHash(container: Pick<Container, 'name' | 'image'>): string {
  const json = goJson({ image: container.image ?? '', name: container.name });
  return fnv1a32(`([]uint8)[${Buffer.from(json).join(' ')}]`).toString(16);
}
