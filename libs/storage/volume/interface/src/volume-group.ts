import type { VolumeOwnership } from '@podwright/filesystem';
import type { VolumeSpec } from './volume-spec.js';

/** How the pod wants the files of a writable volume to belong to its group; undefined when it names no group. */
export function volumeGroupOf({
  pod,
}: Pick<VolumeSpec, 'pod'>): Pick<VolumeOwnership, 'fsGroup' | 'readOnly' | 'policy'> | undefined {
  const { fsGroup, fsGroupChangePolicy } = pod.spec.securityContext ?? {};
  if (fsGroup === undefined) return undefined;
  return {
    fsGroup,
    readOnly: false,
    policy: fsGroupChangePolicy === 'OnRootMismatch' ? 'OnRootMismatch' : 'Always',
  };
}
