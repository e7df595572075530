import type { Pod } from '@podwright/kube-types';

/** Names of the claims that the pod's volumes use, those of its generic ephemeral volumes too. */
export function claimNamesOf({ metadata, spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (ephemeral !== undefined) return [`${metadata.name}-${name}`];
    return persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName];
  });
}
