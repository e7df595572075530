import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** Removes images that nobody uses. Source: kubernetes v1.36 pkg/kubelet/images/image_gc_manager.go. */
export interface ImageGc extends Lifecycle, HealthReporter {
  /** One pass by age and by the thresholds of disk usage. Rejects with upstream's error when too little was freed. */
  garbageCollect(signal?: AbortSignal): Promise<void>;
  /** Removes all unused images that are old enough, whatever the disk usage: for a node under disk pressure. */
  deleteUnusedImages(signal?: AbortSignal): Promise<void>;
}

export const IMAGE_GC = createToken<ImageGc>('kubelet.image-gc/v1');
