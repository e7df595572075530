import type { DiskLayout } from '../disk-layout.js';
import type { Signal } from '../signals/signal.js';

export type NodeResource = 'containers' | 'images';

type ReclaimByLayout = Readonly<Record<DiskLayout, readonly NodeResource[]>>;

const nodefs: ReclaimByLayout = { single: ['containers', 'images'], dedicated: [], split: ['containers'] };
const imagefs: ReclaimByLayout = {
  single: ['containers', 'images'],
  dedicated: ['containers', 'images'],
  split: ['images'],
};
const containerfs: ReclaimByLayout = {
  single: ['containers', 'images'],
  dedicated: ['containers', 'images'],
  split: ['containers'],
};

/**
 * What to reclaim for a signal before evicting a pod, in order: dead containers, unused images. Source: kubernetes
 * v1.36 pkg/kubelet/eviction/helpers.go buildSignalToNodeReclaimFuncs.
 */
export function nodeReclaim(signal: Signal, layout: DiskLayout): readonly NodeResource[] {
  switch (signal) {
    case 'memory.available':
    case 'allocatableMemory.available':
    case 'pid.available':
      return [];
    case 'nodefs.available':
    case 'nodefs.inodesFree':
      return nodefs[layout];
    case 'imagefs.available':
    case 'imagefs.inodesFree':
      return imagefs[layout];
    case 'containerfs.available':
    case 'containerfs.inodesFree':
      return containerfs[layout];
  }
}
