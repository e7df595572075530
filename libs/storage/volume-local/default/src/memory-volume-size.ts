import { parseQuantity, podLimits, quantityToBytes } from '@podwright/kube-types';
import type { VolumeSpec } from '@podwright/volume-interface';

/**
 * Bytes of a memory volume: the least of what the node can give, the pod's memory limit and the volume's own limit.
 * Undefined when none of them is known. Source: kubernetes v1.36 pkg/volume/emptydir, calculateEmptyDirMemorySize.
 */
export function memoryVolumeSize(spec: VolumeSpec, allocatableBytes: number | undefined): number | undefined {
  const own = spec.volume.emptyDir?.sizeLimit;
  const podLimit = podLimits(spec.pod)['memory'];
  const limits = [
    allocatableBytes,
    podLimit === undefined ? undefined : quantityToBytes(podLimit),
    own === undefined ? undefined : quantityToBytes(parseQuantity(own)),
  ].filter((limit) => limit !== undefined && limit > 0) as readonly number[];
  return limits.length === 0 ? undefined : Math.floor(Math.min(...limits));
}
