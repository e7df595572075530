import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Removes unused images: every five minutes once started, and on request. It never removes pinned images, nor images
 * that a container of any state uses as its own or as a volume. One pass runs at a time; a further call waits.
 * Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go.
 */
export interface ImageGc extends Lifecycle, HealthReporter {
  /**
   * Runs one pass by image age and disk usage thresholds. Rejects with upstream's error when it freed too little, could
   * not remove an image, or could not read the file system.
   */
  garbageCollect(signal?: AbortSignal): Promise<void>;
  /**
   * Removes all unused images that are old enough, whatever the disk usage: for a node under disk pressure. It tries
   * all of them, then rejects when it could not remove one.
   */
  deleteUnusedImages(signal?: AbortSignal): Promise<void>;
}

export const IMAGE_GC = createToken<ImageGc>('kubelet.image-gc/v1');
