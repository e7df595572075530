import type { DiskLayout } from '../disk-layout.js';
import type { Signal } from '../signals/signal.js';
import type { Threshold } from './threshold.js';

const sources: Readonly<Record<'nodefs' | 'imagefs', Readonly<Partial<Record<Signal, Signal>>>>> = {
  nodefs: { 'nodefs.available': 'containerfs.available', 'nodefs.inodesFree': 'containerfs.inodesFree' },
  imagefs: { 'imagefs.available': 'containerfs.available', 'imagefs.inodesFree': 'containerfs.inodesFree' },
};

export const isContainerFs = ({ signal }: Threshold): boolean => signal.startsWith('containerfs.');

/**
 * Adds thresholds for `containerfs`. They replace configured ones: as upstream, they are copies of those of the file
 * system that holds the writable layers. Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go
 * UpdateContainerFsThresholds.
 */
export function withContainerFsThresholds(thresholds: readonly Threshold[], layout: DiskLayout): readonly Threshold[] {
  const twins = sources[layout === 'dedicated' ? 'imagefs' : 'nodefs'];
  const chosen = thresholds.filter((threshold) => !isContainerFs(threshold));
  const derived = chosen.flatMap((threshold): Threshold[] => {
    const signal = twins[threshold.signal];
    return signal === undefined ? [] : [{ ...threshold, signal }];
  });
  return [...chosen, ...derived];
}
