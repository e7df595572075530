import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { TrackedCredential } from '@podwright/image-credentials-interface';

/**
 * Records on disk which credentials pulled which image, so that a pod cannot use a private image just because another
 * pod had the credentials to pull it. `image` is the name in the pod spec, `imageRef` the runtime's reference. Every
 * pull begins with `recordPullIntent` and ends with `recordPulled` or `recordPullFailed`; pulls of one image may
 * overlap. Source: kubernetes v1.36 pkg/kubelet/images/pullmanager.
 */
export interface ImagePullRecords extends Lifecycle {
  /** Call it before a pull. Rejects when the intent cannot be written: then the caller must not pull. */
  recordPullIntent(image: string): Promise<void>;
  /**
   * Call it after a successful pull; `credential` is undefined for an anonymous one. Never rejects: logs a failed
   * write, and the intent stays.
   */
  recordPulled(image: string, imageRef: string, credential: TrackedCredential | undefined): Promise<void>;
  /** Call it after a pull that failed or did not happen. Never rejects. */
  recordPullFailed(image: string): Promise<void>;
  /**
   * Resolves with true when the pod must pull although the image is present. Calls `credentials` only when the result
   * depends on it, and rejects when that rejects. Logs an unreadable record, and resolves with true.
   */
  mustAttemptPull(
    image: string,
    imageRef: string,
    credentials: () => Promise<readonly TrackedCredential[]>,
  ): Promise<boolean>;
  /**
   * Removes the records of images that are not in `imageRefs` and were last written before `untilMs` (wall-clock
   * milliseconds). Records have whole seconds; one of the same second stays. Never rejects.
   */
  prune(imageRefs: ReadonlySet<string>, untilMs: number): Promise<void>;
}

export const IMAGE_PULL_RECORDS = createToken<ImagePullRecords>('kubelet.image-pull-records/v1');
