import { createToken } from '@podwright/assembly-interface';

/** One pull that has not ended. */
export interface PullInProgress {
  /** Image as in the pod spec. */
  readonly image: string;
  readonly podNamespace: string;
  readonly podName: string;
  readonly podUid: string;
  readonly state: 'queued' | 'pulling';
  /** Position in the queue, 1 is next; absent while pulling. */
  readonly queuePlace?: number;
  /** Milliseconds since the request. */
  readonly waitedMs: number;
  /** Milliseconds since the call to the runtime; 0 in the queue. The CRI does not report the bytes pulled so far. */
  readonly pulledMs: number;
}

/** Optional ability of an image manager: lists the pulls in progress. Source: Podwright's own. */
export interface ImagePullProgress {
  /** A snapshot: running pulls first, then the queue in its order. From memory. */
  pulls(): readonly PullInProgress[];
}

export const IMAGE_PULL_PROGRESS = createToken<ImagePullProgress>('kubelet.image-pull-progress/v1');
