import { parseQuantity, podLimits, quantityToBytes } from '@podwright/kube-types';
import type { Pod, ResourceRequirements } from '@podwright/kube-types';
import type { VolumeSpec } from '@podwright/volume-interface';

/**
 * Bytes of a memory volume: the minimum of the node's allocatable memory, the pod's memory limit and the volume's own
 * limit. Undefined when none is known. Source: kubernetes v1.36 pkg/volume/emptydir, calculateEmptyDirMemorySize.
 */
export function memoryVolumeSize(spec: VolumeSpec, allocatableBytes: number | undefined): number | undefined {
  const own = spec.volume.emptyDir?.sizeLimit;
  const podLimit = limitsMemory(spec.pod) ? podLimits(spec.pod)['memory'] : undefined;
  const limits = [
    allocatableBytes,
    podLimit === undefined ? undefined : quantityToBytes(podLimit),
    own === undefined ? undefined : quantityToBytes(parseQuantity(own)),
  ].filter((limit) => limit !== undefined && limit > 0) as readonly number[];
  return limits.length === 0 ? undefined : Math.floor(Math.min(...limits));
}

/**
 * Bytes of a volume on disk: the pod's limit of ephemeral storage or a smaller one of the volume; 0 for none. Source:
 * kubernetes v1.36 pkg/kubelet/volumemanager/cache/desired_state_of_world.go.
 */
export function diskVolumeSize({ pod, volume }: VolumeSpec): number {
  const ofPod = quantityToBytes(podLimits(pod)['ephemeral-storage']);
  const { sizeLimit } = volume.emptyDir ?? {};
  const own = sizeLimit === undefined ? 0 : quantityToBytes(parseQuantity(sizeLimit));
  return own > 0 && (ofPod === 0 || own < ofPod) ? own : ofPod;
}

/** As for the pod's cgroup: one container without a limit leaves the pod without one, unless the pod has its own. */
function limitsMemory({ spec }: Pod): boolean {
  const hasLimit = (resources: ResourceRequirements | undefined): boolean =>
    quantityToBytes(resources?.limits?.['memory']) > 0;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return hasLimit(spec.resources) || containers.every(({ resources }) => hasLimit(resources));
}
