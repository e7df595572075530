import type { JournalPod } from './journal-pod.js';

/**
 * A pod asked for an image.
 * - `present`: it is on the node, and the pod may use it;
 * - `never`: it is not, and the pull policy forbids to pull it;
 * - `queued`: the pod waits for its pull; `pulling`: the runtime began it;
 * - `pulled`, `failed`: how it ended; `cancelled`: the pod is to terminate, or the kubelet stops.
 *
 * A sync that finds the back-off not over is not reported: `failed` says until when.
 */
export interface ImagePull {
  readonly kind: 'image.pull';
  readonly pod: JournalPod;
  /** As the pod's spec has it. */
  readonly image: string;
  readonly state: 'present' | 'never' | 'queued' | 'pulling' | 'pulled' | 'failed' | 'cancelled';
  /** From the request until now, with the wait for other pulls; with `pulled`, `failed` and `cancelled`. */
  readonly durationMs?: number;
  /** The pull alone, with `pulled`. */
  readonly pullMs?: number;
  /** With `pulled`, as the runtime reports it. */
  readonly sizeBytes?: number;
  /** Upstream's word, such as `ErrImagePull`, with `failed`. */
  readonly reason?: string;
  /** In upstream's words, with `failed`. */
  readonly error?: string;
  /** Wall clock, Unix milliseconds: no sync pulls before, with `failed`. */
  readonly backOffUntilMs?: number;
}

/** A pass that had to free space by removing images, whether it could or not. */
export interface ImageGc {
  readonly kind: 'image.gc';
  /** `eviction`: the node is short of disk and every unused image goes. */
  readonly cause: 'threshold' | 'eviction';
  /** Of the image file system; with `threshold`. */
  readonly usagePercent?: number;
  /** Above it a pass begins; with `threshold`. */
  readonly highThresholdPercent?: number;
  /** What the pass wants to get down to; with `threshold`. */
  readonly lowThresholdPercent?: number;
  /** With `threshold`. */
  readonly bytesToFree?: number;
  /** Sum of the sizes of the removed images. */
  readonly freedBytes: number;
  readonly removed: number;
  readonly error?: string;
}

/** An unused image was removed, or could not be. */
export interface ImageRemoved {
  readonly kind: 'image.removed';
  readonly imageId: string;
  /** Tags and digests of the image, those that the runtime knew last. */
  readonly names: readonly string[];
  readonly cause: 'threshold' | 'age' | 'eviction';
  readonly sizeBytes: number;
  /** How long no container had used it; absent when none ever had, as far as this process knows. */
  readonly unusedMs?: number;
  /** Why it is still there; absent after a success. */
  readonly error?: string;
}

export type ImageDecision = ImagePull | ImageGc | ImageRemoved;
