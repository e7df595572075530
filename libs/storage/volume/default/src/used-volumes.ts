import { visitContainers } from '@podwright/kube-types';
import type { Pod, Volume } from '@podwright/kube-types';

/** Volumes that some container of the pod mounts or reads a variable from; the others are never set up. In order of the spec. */
export function usedVolumes(pod: Pod): readonly Volume[] {
  const volumes = pod.spec.volumes ?? [];
  if (volumes.length === 0) return volumes;
  const used = new Set<string>();
  for (const { container } of visitContainers(pod.spec)) {
    for (const { name } of [...(container.volumeMounts ?? []), ...(container.volumeDevices ?? [])]) used.add(name);
    for (const { valueFrom } of container.env ?? []) {
      if (valueFrom?.fileKeyRef !== undefined) used.add(valueFrom.fileKeyRef.volumeName);
    }
  }
  return volumes.filter(({ name }) => used.has(name));
}
