import { visitContainers, type Pod } from '@podwright/kube-types';
import type { SeLinuxOptions } from '@podwright/selinux';

/**
 * What each container that mounts the volume asks for; containers that ask for nothing are left out. Source: kubernetes
 * v1.36 pkg/volume/util/util.go GetPodVolumeNames.
 */
export function seLinuxOptionsOf(pod: Pod, volumeName: string): readonly SeLinuxOptions[] {
  const found: SeLinuxOptions[] = [];
  for (const { container } of visitContainers(pod.spec)) {
    const options = container.securityContext?.seLinuxOptions ?? pod.spec.securityContext?.seLinuxOptions;
    if (options === undefined) continue;
    for (const { name } of container.volumeMounts ?? []) if (name === volumeName) found.push(options);
  }
  return found;
}
