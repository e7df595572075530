import type { Pod, PodSpec, ResourceRequirements } from '@podwright/kube-types';

/** Pod `name` with one container `main` that requests `cpu`; generation 1 by default. */
export function podAskingFor(name: string, cpu: string, spec: Partial<PodSpec> = {}, generation = 1): Pod {
  return {
    metadata: { name, namespace: 'default', uid: `uid-${name}`, generation },
    spec: { containers: [{ name: 'main', image: 'main:1', resources: cpuOf(cpu) }], ...spec },
  };
}

export function cpuOf(cpu: string): ResourceRequirements {
  return { requests: { cpu } };
}
