import type { Pod, Volume } from '../objects.js';
import { visitContainers } from './containers.js';

/** A volume that a container of the pod uses, and how. */
export interface UsedVolume {
  readonly volume: Volume;
  readonly asMount: boolean;
  readonly asDevice: boolean;
}

/**
 * Volumes that a container of the pod mounts, in order of the spec; others are never set up. A variable from a file is
 * no use of its volume. Source: kubernetes v1.36 pkg/volume/util/util.go GetPodVolumeNames.
 */
export function usedVolumes(pod: Pod): readonly UsedVolume[] {
  const volumes = pod.spec.volumes ?? [];
  if (volumes.length === 0) return [];
  const mounts = new Set<string>();
  const devices = new Set<string>();
  for (const { container } of visitContainers(pod.spec)) {
    for (const { name } of container.volumeMounts ?? []) mounts.add(name);
    for (const { name } of container.volumeDevices ?? []) devices.add(name);
  }
  return volumes
    .map((volume) => ({ volume, asMount: mounts.has(volume.name), asDevice: devices.has(volume.name) }))
    .filter(({ asMount, asDevice }) => asMount || asDevice);
}
