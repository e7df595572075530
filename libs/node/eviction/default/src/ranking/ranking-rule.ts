import type { DiskLayout } from '../disk-layout.js';
import { signals, type Signal, type StarvedResource } from '../signals/signal.js';
import type { DiskPart } from './pod-usage.js';

/** What a signal measures of pods in order to rank them. */
export interface RankingRule {
  readonly resource: StarvedResource;
  /** For disk and inodes; empty for other resources and where no pod usage can be measured. */
  readonly parts: readonly DiskPart[];
}

const everything: readonly DiskPart[] = ['root', 'logs', 'local volumes'];
const kubeletFiles: readonly DiskPart[] = ['logs', 'local volumes'];

/**
 * The rule of a signal with this disk layout. Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go
 * buildSignalToRankFunc.
 */
export function rankingRule(signal: Signal, layout: DiskLayout): RankingRule {
  return { resource: signals[signal].resource, parts: partsOf(signal, layout) };
}

function partsOf(signal: Signal, layout: DiskLayout): readonly DiskPart[] {
  const fileSystem = signal.split('.')[0];
  if (fileSystem !== 'nodefs' && fileSystem !== 'imagefs' && fileSystem !== 'containerfs') return [];
  switch (layout) {
    case 'single':
      return everything;
    case 'dedicated':
      return fileSystem === 'nodefs' ? kubeletFiles : ['root'];
    case 'split':
      // No pod owns anything on a file system that holds only images.
      return fileSystem === 'imagefs' ? [] : everything;
  }
}

/** The measured parts, for the decision's record. */
export function measuredParts({ resource, parts }: RankingRule): readonly string[] {
  if (resource === 'memory') return ['working set'];
  return resource === 'pids' ? ['processes'] : parts;
}
