import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { TrackedCredential } from '@podwright/image-credentials-interface';

/**
 * Remembers on disk who pulled which image with what, so that a pod cannot use an image that is present only because somebody
 * else had the right credentials. Images are named as the pod writes them, references as the runtime gives them. Every pull is
 * framed by `recordPullIntent` and one of `recordPulled` and `recordPullFailed`; pulls of one image may overlap. Source:
 * kubernetes v1.36 pkg/kubelet/images/pullmanager.
 */
export interface ImagePullRecords extends Lifecycle {
  /** Before a pull. Rejects when the intent cannot be written: then the image must not be pulled. */
  recordPullIntent(image: string): Promise<void>;
  /** After a pull that succeeded; `credential` undefined: an anonymous pull. Failures are logged, the intent stays. Never rejects. */
  recordPulled(image: string, imageRef: string, credential: TrackedCredential | undefined): Promise<void>;
  /** After a pull that failed or did not happen. Never rejects. */
  recordPullFailed(image: string): Promise<void>;
  /**
   * Whether a pod must pull although the image is present. `credentials` is asked only when it matters. Rejects when they
   * cannot be looked up; records that cannot be read are logged, and mean yes.
   */
  mustAttemptPull(
    image: string,
    imageRef: string,
    credentials: () => Promise<readonly TrackedCredential[]>,
  ): Promise<boolean>;
  /**
   * Drops records of images that are not in `imageRefs` and were last written before `untilMs` (wall clock, milliseconds; records
   * know whole seconds, and one of the same second stays). Never rejects.
   */
  prune(imageRefs: ReadonlySet<string>, untilMs: number): Promise<void>;
}

export const IMAGE_PULL_RECORDS = createToken<ImagePullRecords>('kubelet.image-pull-records/v1');
