import { createToken } from '@podwright/assembly-interface';
import type { FsStats } from './summary.js';

/**
 * Reads the runtime's file systems alone, for managers that decide by free space, such as image garbage collection: far
 * cheaper than a summary, and never from a cache. Source: kubernetes v1.36 pkg/kubelet/stats ImageFsStats.
 */
export interface ImageFsStats {
  /**
   * `imageFs` and `containerFs` are the same where images and writable layers share a file system. They have no
   * capacity when the kubelet cannot see the mount point. Rejects when the runtime does not report them.
   */
  imageFsStats(signal?: AbortSignal): Promise<{ readonly imageFs: FsStats; readonly containerFs: FsStats }>;
}

export const IMAGE_FS_STATS = createToken<ImageFsStats>('kubelet.image-fs-stats/v1');
