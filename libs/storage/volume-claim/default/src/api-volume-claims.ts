import { needs, pick, type Needs } from '@podwright/assembly-interface';
import { hasInTreeSource, translateInline, translatePersistentVolume } from '@podwright/csi-translation';
import { KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, persistentVolumeClaims, persistentVolumes } from '@podwright/kube-client-interface';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@podwright/kube-types';
import type { ResolvedClaim, VolumeClaims } from '@podwright/volume-interface';
import { boundVolumeName, claimNameOf, requireBoundTo, requireOwner } from './claim-rules.js';
import { requireMode, type VolumeUse } from './volume-mode.js';

export const volumeClaimNeeds = needs({ client: pick(KUBE_CLIENT, 'get') });
export type VolumeClaimNeeds = Needs<typeof volumeClaimNeeds>;

/**
 * {@link VolumeClaims} that asks the API server each time. Source: kubernetes v1.36
 * pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go createVolumeSpec.
 */
export class ApiVolumeClaims implements VolumeClaims {
  constructor(private readonly deps: VolumeClaimNeeds) {}

  concerns(volume: Volume): boolean {
    return Boolean(volume.persistentVolumeClaim ?? volume.ephemeral) || hasInTreeSource(volume);
  }

  async resolve(pod: Pod, volume: Volume, used: VolumeUse, signal: AbortSignal): Promise<ResolvedClaim> {
    const claimName = claimNameOf(pod, volume);
    if (claimName === undefined) return this.inline(pod, volume);
    const namespace = pod.metadata.namespace ?? '';
    const wrapped = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        throw failed(`error processing PVC ${namespace}/${claimName}: ${messageOf(error)}`, error);
      });
    const [claim, name] = await wrapped(this.boundClaim(namespace, claimName, signal));
    if (!volume.persistentVolumeClaim) requireOwner(claim, pod);
    const bound = await wrapped(this.volumeOf(claim, name, signal));
    const migrated = hasInTreeSource(bound.spec ?? {});
    const persistentVolume = migrated ? translated(() => translatePersistentVolume(bound)) : bound;
    requireMode(volume.name, persistentVolume, used);
    return { persistentVolume, claim, migrated };
  }

  private inline(pod: Pod, volume: Volume): ResolvedClaim {
    const persistentVolume = translated(() => translateInline(volume, pod.metadata.namespace ?? ''));
    return { persistentVolume, migrated: true };
  }

  /** The claim, and the name of the volume that it is bound to. */
  private async boundClaim(
    namespace: string,
    name: string,
    signal: AbortSignal,
  ): Promise<[claim: PersistentVolumeClaim, volume: string]> {
    const claim = await this.deps.client
      .get(persistentVolumeClaims, { namespace, name }, { signal })
      .catch((error: unknown) => {
        throw failed(`failed to fetch PVC from API server: ${messageOf(error)}`, error);
      });
    return [claim, boundVolumeName(claim)];
  }

  private async volumeOf(claim: PersistentVolumeClaim, name: string, signal: AbortSignal): Promise<PersistentVolume> {
    const volume = await this.deps.client.get(persistentVolumes, { name }, { signal }).catch((error: unknown) => {
      throw failed(`failed to fetch PV ${name} from API server: ${messageOf(error)}`, error);
    });
    requireBoundTo(volume, claim);
    return volume;
  }
}

function translated(translate: () => PersistentVolume): PersistentVolume {
  try {
    return translate();
  } catch (error) {
    throw failed(`failed to translate in-tree pv to CSI: ${messageOf(error)}`, error);
  }
}

function failed(message: string, cause: unknown): KubeletError {
  return new KubeletError(message, { code: KubeletError.from(cause).code, cause });
}
