import type { Pod, Volume } from '../objects.js';
import { visitContainers } from './containers.js';

/** A volume that a container of the pod uses, and how. */
export interface UsedVolume {
  readonly volume: Volume;
  readonly asMount: boolean;
  readonly asDevice: boolean;
}

/** Volumes that a container of the pod mounts or uses for a variable, in order of the spec; others are never set up. */
export function usedVolumes(pod: Pod): readonly UsedVolume[] {
  const volumes = pod.spec.volumes ?? [];
  if (volumes.length === 0) return [];
  const mounts = new Set<string>();
  const devices = new Set<string>();
  for (const { container } of visitContainers(pod.spec)) {
    for (const { name } of container.volumeMounts ?? []) mounts.add(name);
    for (const { name } of container.volumeDevices ?? []) devices.add(name);
    for (const { valueFrom } of container.env ?? []) {
      if (valueFrom?.fileKeyRef !== undefined) mounts.add(valueFrom.fileKeyRef.volumeName);
    }
  }
  return volumes
    .map((volume) => ({ volume, asMount: mounts.has(volume.name), asDevice: devices.has(volume.name) }))
    .filter(({ asMount, asDevice }) => asMount || asDevice);
}
