import type { Pod } from '@podwright/kube-types';
import type { PodMemoryPart } from '@podwright/pod-memory-interface';

/** What a next process needs in order to go on with a termination. */
export interface RememberedTermination {
  /** As the worker sees it: the one that knows the preStop hooks and the order of its containers. */
  readonly pod: Pod;
  /** Seconds as asked for so far; 0: nobody asked, the containers have their own. */
  readonly gracePeriodSeconds: number;
  /** Wall clock, milliseconds: when the time of the containers is over. Absent until they are told to end. */
  readonly deadlineMs?: number;
  readonly deleted: boolean;
  readonly evicted: boolean;
  /** The pod came to its end by itself. */
  readonly completed: boolean;
}

export const terminationPart: PodMemoryPart<RememberedTermination> = {
  name: 'pod-workers.termination',
  decode: (json) => {
    if (!isObject(json)) return undefined;
    const { pod, gracePeriodSeconds, deadlineMs, deleted, evicted, completed } = json;
    if (!isPod(pod) || !isTime(gracePeriodSeconds) || !(deadlineMs === undefined || isTime(deadlineMs)))
      return undefined;
    if (typeof deleted !== 'boolean' || typeof evicted !== 'boolean' || typeof completed !== 'boolean')
      return undefined;
    return { pod, gracePeriodSeconds, deleted, evicted, completed, ...(deadlineMs !== undefined && { deadlineMs }) };
  },
};

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

// Its own words, checked by its checksum: only another version could have written something else.
const isPod = (value: unknown): value is Pod =>
  isObject(value) &&
  isObject(value['metadata']) &&
  typeof value['metadata']['uid'] === 'string' &&
  typeof value['metadata']['name'] === 'string' &&
  isObject(value['spec']) &&
  Array.isArray(value['spec']['containers']);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
