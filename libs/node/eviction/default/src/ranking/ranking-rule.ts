import type { DiskLayout } from '../disk-layout.js';
import { signals, type Signal, type StarvedResource } from '../signals/signal.js';
import type { DiskPart } from './pod-usage.js';

/** How one signal ranks pods: what it measures of them. */
export interface RankingRule {
  readonly resource: StarvedResource;
  /** Of disk and inodes; empty for the others, and where nothing of a pod can be measured. */
  readonly parts: readonly DiskPart[];
}

const everything: readonly DiskPart[] = ['root', 'logs', 'local volumes'];
const kubeletFiles: readonly DiskPart[] = ['logs', 'local volumes'];

/** Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go buildSignalToRankFunc. */
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
      // Of images alone nothing belongs to a pod.
      return fileSystem === 'imagefs' ? [] : everything;
  }
}

/** For the record. */
export function measuredParts({ resource, parts }: RankingRule): readonly string[] {
  if (resource === 'memory') return ['working set'];
  return resource === 'pids' ? ['processes'] : parts;
}
