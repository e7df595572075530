import { isJsonObject, type Pod } from '@podwright/kube-types';
import type { PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import { isTime } from '@podwright/time';

/** What the next process needs in order to resume a termination. */
export interface CheckpointedTermination {
  /** As the worker sees it, with the preStop hooks and the order of the containers. */
  readonly pod: Pod;
  /** Requested seconds so far; 0: none requested, the containers' own apply. */
  readonly gracePeriodSeconds: number;
  /** Wall clock, milliseconds: when the containers' grace period ends. Absent until it starts. */
  readonly deadlineMs?: number;
  readonly deleted: boolean;
  readonly evicted: boolean;
  /** The pod completed by itself. */
  readonly completed: boolean;
}

export const terminationPart: PodCheckpointPart<CheckpointedTermination> = {
  name: 'pod-workers.termination',
  decode: (json) => {
    if (!isJsonObject(json)) return undefined;
    const { pod, gracePeriodSeconds, deadlineMs, deleted, evicted, completed } = json;
    if (!isPod(pod) || !isTime(gracePeriodSeconds) || !(deadlineMs === undefined || isTime(deadlineMs)))
      return undefined;
    if (typeof deleted !== 'boolean' || typeof evicted !== 'boolean' || typeof completed !== 'boolean')
      return undefined;
    return { pod, gracePeriodSeconds, deleted, evicted, completed, ...(deadlineMs !== undefined && { deadlineMs }) };
  },
};

// Its checksum was verified, so only another version could have written another format.
const isPod = (value: unknown): value is Pod =>
  isJsonObject(value) &&
  isJsonObject(value['metadata']) &&
  typeof value['metadata']['uid'] === 'string' &&
  typeof value['metadata']['name'] === 'string' &&
  isJsonObject(value['spec']) &&
  Array.isArray(value['spec']['containers']);
