import type { OwnershipWatch, VolumeOwnership } from '@podwright/filesystem';
import type { MetricsRegistry } from '@podwright/metrics';
import { observeAccessControl } from './storage-operations.js';
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

/** The same; the change of owners is measured as one of this plugin. Without metrics, nothing is. */
export function measuredGroupOf(
  spec: Pick<VolumeSpec, 'pod'>,
  volumePlugin: string,
  {
    clock,
    metrics,
  }: Pick<OwnershipWatch, 'clock'> & { readonly metrics?: Pick<MetricsRegistry, 'histogram'> | undefined },
): (ReturnType<typeof volumeGroupOf> & { readonly watch?: OwnershipWatch }) | undefined {
  const group = volumeGroupOf(spec);
  if (group === undefined || metrics === undefined) return group;
  const podUid = spec.pod.metadata.uid ?? '';
  return { ...group, watch: { clock, podUid, onDone: observeAccessControl(metrics, volumePlugin) } };
}
