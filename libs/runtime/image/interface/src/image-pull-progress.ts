import { createToken } from '@podwright/assembly-interface';

/** One pull that has not ended. */
export interface PullUnderWay {
  /** As written in the pod. */
  readonly image: string;
  readonly podNamespace: string;
  readonly podName: string;
  readonly podUid: string;
  readonly state: 'queued' | 'pulling';
  /** 1 is next. Absent while it is pulled. */
  readonly queuePlace?: number;
  /** Since it was asked for, in milliseconds. */
  readonly waitedMs: number;
  /** Since the runtime was asked, in milliseconds; 0 in the queue. Of the bytes so far the CRI tells nothing. */
  readonly pulledMs: number;
}

/** What an image manager can tell of pulls that take their time. Source: Podwright's own. */
export interface ImagePullProgress {
  /** Those that are pulled, then the queue in its order. A snapshot; cheap. */
  pulls(): readonly PullUnderWay[];
}

export const IMAGE_PULL_PROGRESS = createToken<ImagePullProgress>('kubelet.image-pull-progress/v1');
