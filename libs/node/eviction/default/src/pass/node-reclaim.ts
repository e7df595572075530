import type { DiskLayout } from '../disk-layout.js';
import { isMemorySignal, type Signal } from '../signals/signal.js';

export type NodeResource = 'containers' | 'images';

/**
 * What can be freed for a signal before a pod has to go, in order: dead containers, unused images. Source: kubernetes v1.36
 * pkg/kubelet/eviction/helpers.go buildSignalToNodeReclaimFuncs.
 */
export function nodeReclaim(signal: Signal, layout: DiskLayout): readonly NodeResource[] {
  if (isMemorySignal(signal) || signal === 'pid.available') return [];
  const ofImages = signal.startsWith('imagefs.');
  switch (layout) {
    case 'single':
      return ['containers', 'images'];
    case 'dedicated':
      return signal.startsWith('nodefs.') ? [] : ['containers', 'images'];
    case 'split':
      return ofImages ? ['images'] : ['containers'];
  }
}
