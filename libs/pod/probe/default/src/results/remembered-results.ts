import type { PodMemoryPart } from '@podwright/pod-memory-interface';
import type { ProbeResult } from '@podwright/probe-interface';

/** Kinds whose results outlive the process. A liveness result starts anew: it is asked for again before it counts. */
export type RememberedKind = 'readiness' | 'startup';
export const rememberedKinds: readonly RememberedKind[] = ['readiness', 'startup'];

export interface RememberedResult {
  /** Bare CRI id. */
  readonly containerId: string;
  readonly result: ProbeResult;
}

/** The last results of one pod by container name. */
export type RememberedResults = Readonly<
  Record<string, Readonly<Partial<Record<RememberedKind, RememberedResult>>> | undefined>
>;

/** What is kept of each pod in the pod memory. */
export const rememberedResultsPart: PodMemoryPart<RememberedResults> = {
  name: 'probe.results',
  decode: (json) => {
    if (!isObject(json)) return undefined;
    const containers = Object.entries(json).flatMap(([name, value]) => {
      if (!isObject(value)) return [];
      const results = rememberedKinds.flatMap((kind) => {
        const result = decodeResult(value[kind]);
        return result === undefined ? [] : [[kind, result] as const];
      });
      return [[name, Object.fromEntries(results)] as const];
    });
    return Object.fromEntries(containers);
  },
};

const known: ReadonlySet<unknown> = new Set<ProbeResult>(['success', 'failure', 'unknown']);

function decodeResult(json: unknown): RememberedResult | undefined {
  if (!isObject(json)) return undefined;
  const { containerId, result } = json;
  if (typeof containerId !== 'string' || containerId === '' || !known.has(result)) return undefined;
  return { containerId, result: result as ProbeResult };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
