import { setVolumeOwnership } from '@podwright/filesystem';
import { observeAccessControl, type VolumeSpec } from '@podwright/volume-interface';
import type { CsiVolumeDeps } from '../csi-volume-deps.js';
import type { CsiSource } from './csi-source.js';
import type { FsGroupPolicy } from './driver-rules.js';
import { csiPluginName } from './volume-paths.js';

/** Source: kubernetes v1.36 pkg/volume/csi/csi_mounter.go supportsFSGroup. */
export function kubeletAppliesFsGroup(source: CsiSource, policy: FsGroupPolicy): boolean {
  if (policy === 'None' || source.readOnly) return false;
  if (policy === 'File') return true;
  const { fsType, accessModes = [] } = source;
  return fsType !== '' && accessModes.some((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}

/** Gives the files of a published volume to the pod's group. Rejects when a directory cannot be read. */
export async function applyFsGroup(
  path: string,
  { fsGroup, driver, spec }: { readonly fsGroup: number; readonly driver: string; readonly spec: VolumeSpec },
  { clock, events, logger, metrics }: Pick<CsiVolumeDeps, 'clock' | 'events' | 'logger' | 'metrics'>,
  signal: AbortSignal,
): Promise<void> {
  const { pod } = spec;
  const policy = pod.spec.securityContext?.fsGroupChangePolicy;
  await setVolumeOwnership(
    path,
    {
      fsGroup,
      readOnly: false,
      policy: policy === 'OnRootMismatch' ? policy : 'Always',
      guard: { clock },
      onError: (file, error) => logger.warn('cannot change the owner of a volume', { path: file, error }),
      watch: {
        clock,
        podUid: pod.metadata.uid ?? '',
        onSlow: (message) => events.event({ kind: 'Pod', pod }, 'Warning', 'VolumePermissionChangeInProgress', message),
        onDone: observeAccessControl(metrics, `${csiPluginName}:${driver}`),
      },
    },
    signal,
  );
}
