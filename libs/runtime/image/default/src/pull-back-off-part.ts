import { isJsonObject } from '@podwright/kube-types';
import type { PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { isTime, type BackOffState } from '@podwright/time';

/** The last failed pull of one image for one pod. */
export interface CheckpointedPull extends BackOffState {
  /** `<reason>: <message>` of the failure. */
  readonly failure: string;
}

/** Failed pulls by the image name in the pod spec. */
export type CheckpointedPulls = Readonly<Record<string, CheckpointedPull>>;

export const pullBackOffPart: PodCheckpointPart<CheckpointedPulls> = {
  name: 'image.pull-back-off',
  decode: (json) => {
    if (!isJsonObject(json)) return undefined;
    const entries = Object.entries(json);
    return entries.every(([, pull]) => isPull(pull)) ? (Object.fromEntries(entries) as CheckpointedPulls) : undefined;
  },
};

const isPull = (value: unknown): value is CheckpointedPull =>
  isJsonObject(value) &&
  isTime(value['delayMs']) &&
  isTime(value['updatedAtMs']) &&
  typeof value['failure'] === 'string';
