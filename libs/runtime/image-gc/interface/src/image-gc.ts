import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Removes images that nobody uses: each five minutes once started, and when asked to. An image that a container of any state uses,
 * as its own or as a volume, and a pinned one are never removed. One pass at a time; a further call waits.
 * Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go.
 */
export interface ImageGc extends Lifecycle, HealthReporter {
  /**
   * One pass by age and by the thresholds of disk usage. Rejects with upstream's error when too little was freed, when an image
   * could not be removed, or when the file system cannot be read.
   */
  garbageCollect(signal?: AbortSignal): Promise<void>;
  /**
   * Removes all unused images that are old enough, whatever the disk usage: for a node under disk pressure. Rejects when one could
   * not be removed, after trying all others.
   */
  deleteUnusedImages(signal?: AbortSignal): Promise<void>;
}

export const IMAGE_GC = createToken<ImageGc>('kubelet.image-gc/v1');
