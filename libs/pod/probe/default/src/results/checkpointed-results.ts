import { isJsonObject } from '@podwright/kube-types';
import type { PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import type { ProbeResult } from '@podwright/probe-interface';

/** Kinds whose results survive a restart of the kubelet. Liveness starts anew: it is probed again before it counts. */
export type CheckpointedKind = 'readiness' | 'startup';
export const checkpointedKinds: readonly CheckpointedKind[] = ['readiness', 'startup'];

export interface CheckpointedResult {
  /** Bare CRI id. */
  readonly containerId: string;
  readonly result: ProbeResult;
}

/** The last results of one pod by container name. */
export type CheckpointedResults = Readonly<
  Record<string, Readonly<Partial<Record<CheckpointedKind, CheckpointedResult>>> | undefined>
>;

/** Part of the checkpoint of each pod. */
export const checkpointedResultsPart: PodCheckpointPart<CheckpointedResults> = {
  name: 'probe.results',
  decode: (json) => {
    if (!isJsonObject(json)) return undefined;
    const containers = Object.entries(json).flatMap(([name, value]) => {
      if (!isJsonObject(value)) return [];
      const results = checkpointedKinds.flatMap((kind) => {
        const result = decodeResult(value[kind]);
        return result === undefined ? [] : [[kind, result] as const];
      });
      return [[name, Object.fromEntries(results)] as const];
    });
    return Object.fromEntries(containers);
  },
};

const known: ReadonlySet<unknown> = new Set<ProbeResult>(['success', 'failure', 'unknown']);

function decodeResult(json: unknown): CheckpointedResult | undefined {
  if (!isJsonObject(json)) return undefined;
  const { containerId, result } = json;
  if (typeof containerId !== 'string' || containerId === '' || !known.has(result)) return undefined;
  return { containerId, result: result as ProbeResult };
}
