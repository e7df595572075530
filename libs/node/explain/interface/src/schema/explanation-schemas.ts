import { nodeSituations } from '../node-explanation.js';
import { podSituations } from '../pod-situation.js';
import { stepNames, stepStates } from '../explained-step.js';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const number = { type: 'number' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
const list = (items: Schema): Schema => ({ type: 'array', items });
/** An object of these fields and no others; those whose names end with `?` may be absent. */
function object(fields: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    additionalProperties: false,
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name.replace(/\?$/, ''), field])),
  };
}

const facts: Schema = { type: 'object', additionalProperties: { anyOf: [text, number, flag, list(text)] } };
const causes = oneOf('threshold', 'age', 'eviction');
const header = (kind: string): Readonly<Record<string, Schema>> => ({
  apiVersion: oneOf('explain.podwright.dev/v1alpha1'),
  kind: oneOf(kind),
  atMs: number,
});

const step = object({
  ...{ step: oneOf(...stepNames), state: oneOf(...stepStates), 'sinceMs?': number, 'tookMs?': number, facts },
});
const oom = object({
  ...{ atMs: number, process: text, pid: number, limitOf: oneOf('container', 'pod', 'node', 'other') },
  ...{ 'usageBytes?': number, 'limitBytes?': number },
});
const exit = object({
  ...{ exitCode: number, 'signal?': text, reason: text, 'message?': text },
  ...{ 'startedAtMs?': number, 'finishedAtMs?': number, 'oom?': oom, 'killedFor?': text, 'probeOutput?': text },
});
const probe = object({
  ...{ probe: oneOf('liveness', 'readiness', 'startup'), outcome: oneOf('success', 'failure', 'error'), atMs: number },
  ...{ output: text, inARow: count, threshold: count, changes: count },
});
const container = object({
  ...{ name: text, type: oneOf('init', 'sidecar', 'regular', 'ephemeral') },
  ...{ state: oneOf('waiting', 'running', 'terminated'), 'reason?': text, 'message?': text, 'sinceMs?': number },
  ...{ ready: flag, restarts: count, exits: list(exit), 'backOffUntilMs?': number, probes: list(probe), facts },
});
const failure = object({
  ...{ step: oneOf(...stepNames), atMs: number, error: text, 'times?': count, 'sinceMs?': number },
});
const slowest = object({ step: oneOf(...stepNames), tookMs: number, ofMs: number, 'of?': text, 'error?': text });

/** JSON Schema (2020-12) of a {@link PodExplanation}. */
export const podExplanationSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'PodExplanation',
  ...object({
    ...header('PodExplanation'),
    pod: object({ namespace: text, name: text, 'uid?': text }),
    known: oneOf('here', 'gone', 'unknown'),
    ...{ 'source?': text, 'phase?': text, ready: flag },
    ...{ situation: oneOf(...podSituations), headline: text, advice: text },
    'waitsFor?': object({ what: text, 'sinceMs?': number }),
    ...{ 'lastFailure?': failure, 'retryAtMs?': number, 'slowest?': slowest },
    ...{ steps: list(step), containers: list(container), notes: list(text), 'near?': list(text) },
  }),
};

/** JSON Schema (2020-12) of a {@link NodeExplanation}. */
export const nodeExplanationSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'NodeExplanation',
  ...object({
    ...header('NodeExplanation'),
    ...{ 'node?': text, ready: flag, situation: oneOf(...nodeSituations), headline: text, advice: text },
    conditions: list(object({ type: text, status: text, reason: text, message: text, 'sinceMs?': number })),
    ...{ runtimeErrors: list(text), networkErrors: list(text) },
    pressures: list(
      object({
        ...{ signal: text, resource: text, available: number, capacity: number, 'threshold?': number },
        ...{ 'distance?': number, 'gracePeriodMs?': number, met: flag, 'metSinceMs?': number },
      }),
    ),
    next: list(
      object({ namespace: text, name: text, signal: text, 'usage?': number, request: number, priority: number }),
    ),
    evictions: list(object({ atMs: number, namespace: text, name: text, signal: text, message: text })),
    imageRemovals: list(
      object({ atMs: number, image: text, cause: causes, sizeBytes: number, 'unusedMs?': number, 'error?': text }),
    ),
    imageGcs: list(
      object({
        ...{ atMs: number, cause: causes, 'usagePercent?': number, 'highThresholdPercent?': number },
        ...{ freedBytes: number, removed: count, 'error?': text },
      }),
    ),
    outages: list(object({ fromMs: number, 'untilMs?': number, reason: text, message: text })),
    contacts: list(object({ what: oneOf('lease', 'status'), sinceMs: number, error: text, 'advice?': text })),
    notes: list(text),
  }),
};
