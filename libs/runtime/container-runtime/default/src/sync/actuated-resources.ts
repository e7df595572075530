import { compareQuantities, type Container, type ResourceRequirements } from '@podwright/kube-types';

/**
 * What a container is started with: where it has no limit of CPU or memory, the pod's applies. Requests are its own. Source:
 * kubernetes v1.36 pkg/kubelet/util/util.go GetLimits.
 */
export function actuatedResources(
  { resources = {} }: Pick<Container, 'resources'>,
  podLevel: ResourceRequirements | undefined,
): ResourceRequirements {
  const missing = ['cpu', 'memory'].filter((name) => isNone(resources.limits?.[name]));
  const fromPod = missing.flatMap((name) => {
    const limit = podLevel?.limits?.[name];
    return limit === undefined || isNone(limit) ? [] : [[name, limit] as const];
  });
  if (fromPod.length === 0) return resources;
  return { ...resources, limits: { ...resources.limits, ...Object.fromEntries(fromPod) } };
}

const isNone = (limit: string | undefined): boolean => compareQuantities(limit, undefined) === 0;
