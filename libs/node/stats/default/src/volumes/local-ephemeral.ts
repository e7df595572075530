import type { Pod, Volume } from '@podwright/kube-types';
import type { VolumeStats } from '@podwright/stats-interface';

/**
 * Whether a volume counts as ephemeral storage of the pod: directories on the node's disk, config maps and git clones
 * count; memory volumes, secrets and projected volumes do not.
 * Source: kubernetes v1.36 pkg/volume/util/util.go IsLocalEphemeralVolume.
 */
export function isLocalEphemeral({ emptyDir, configMap, gitRepo }: Volume): boolean {
  if (gitRepo !== undefined || configMap !== undefined) return true;
  return emptyDir !== undefined && (emptyDir.medium ?? '') === '';
}

/** The claim of a volume: the one that it names, or the one generated for it. */
export function claimOf(pod: Pod, volume: Volume): VolumeStats['pvcRef'] {
  const namespace = pod.metadata.namespace ?? '';
  if (volume.persistentVolumeClaim !== undefined) return { name: volume.persistentVolumeClaim.claimName, namespace };
  if (volume.ephemeral !== undefined) return { name: `${pod.metadata.name ?? ''}-${volume.name}`, namespace };
  return undefined;
}
