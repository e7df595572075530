import type { Pod, Volume } from '@podwright/kube-types';
import type { VolumeStats } from '@podwright/stats-interface';

/**
 * Whether a volume's files count as the pod's ephemeral storage: directories on the node's disk, config maps and clones of git
 * repositories; no volume in memory, no secret and no projected one.
 * Source: kubernetes v1.36 pkg/volume/util/util.go IsLocalEphemeralVolume.
 */
export function isLocalEphemeral({ emptyDir, configMap, gitRepo }: Volume): boolean {
  if (gitRepo !== undefined || configMap !== undefined) return true;
  return emptyDir !== undefined && (emptyDir.medium ?? '') === '';
}

/** The claim behind a volume: the one it names, or the one made for it. */
export function claimOf(pod: Pod, volume: Volume): VolumeStats['pvcRef'] {
  const namespace = pod.metadata.namespace ?? '';
  if (volume.persistentVolumeClaim !== undefined) return { name: volume.persistentVolumeClaim.claimName, namespace };
  if (volume.ephemeral !== undefined) return { name: `${pod.metadata.name ?? ''}-${volume.name}`, namespace };
  return undefined;
}
