import { createToken } from '@podwright/assembly-interface';
import type { FsStats } from './summary.js';

/**
 * The file systems of the runtime alone, for who decides by the space that is left: far cheaper than a summary, and never from a
 * cache. Both are the same where images and writable layers share one. Source: kubernetes v1.36 pkg/kubelet/stats ImageFsStats.
 */
export interface ImageFsStats {
  /** Rejects when the runtime does not tell; without capacity when the kubelet does not see its mount point. */
  imageFsStats(signal?: AbortSignal): Promise<{ readonly imageFs: FsStats; readonly containerFs: FsStats }>;
}

export const IMAGE_FS_STATS = createToken<ImageFsStats>('kubelet.image-fs-stats/v1');
