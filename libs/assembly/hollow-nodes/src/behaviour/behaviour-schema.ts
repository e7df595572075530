import { messageOf } from '@podwright/errors';
import { labelValue, qualifiedName, quantityToNumber } from '@podwright/kube-types';
import {
  float64,
  int32,
  list,
  map,
  object,
  pointer,
  quantity,
  scalar,
  string,
  type DecodeFault,
  type ScalarSchema,
} from '@podwright/pod-manifest';
import type { NodeFaultKind } from './hollow-behaviour.js';
import { longest, parseSpread } from './spread.js';

/** A behaviour file as decoded: every field is optional, and texts are checked but not parsed. */
export interface BehaviourFile {
  readonly node?: { readonly cpu?: number; readonly memory?: string; readonly labels?: Record<string, string> };
  readonly containers?: readonly {
    readonly namespace?: string;
    readonly pod?: string;
    readonly container?: string;
    readonly image?: string;
    readonly start?: string;
    readonly ready?: string;
    readonly run?: string;
    readonly exitCode?: number;
    readonly stop?: string;
    readonly crash?: FailureFile & { readonly after?: string; readonly exitCodes?: readonly number[] };
    readonly startFailure?: FailureFile & { readonly message?: string };
    readonly log?: readonly string[];
    readonly cpu?: string;
    readonly memory?: string;
  }[];
  readonly images?: readonly {
    readonly image?: string;
    readonly pull?: string;
    readonly size?: string;
    readonly pullFailure?: FailureFile & { readonly message?: string };
  }[];
  readonly nodeFaults?: readonly {
    readonly fault?: NodeFaultKind;
    readonly nodes?: readonly string[];
    readonly share?: number;
    readonly after?: string;
    readonly lasts?: string;
    readonly times?: number;
  }[];
}

interface FailureFile {
  readonly share?: number;
  readonly times?: number;
}

const spread = pointer(
  scalar({
    expected: 'time (string such as 5s, 1s..5s or "2s p95 8s")',
    zero: undefined,
    read(value) {
      if (typeof value !== 'string') return undefined;
      try {
        parseSpread(value);
        return { value };
      } catch (error) {
        return { fault: messageOf(error) };
      }
    },
  }),
);

/** A schema whose values must also pass a check. */
function checked<T = number>(schema: ScalarSchema, what: string, accepts: (value: T) => boolean): ScalarSchema {
  return pointer({
    ...schema,
    read(value) {
      const reading = schema.read(value);
      if (reading === undefined || 'fault' in reading || accepts(reading.value as T)) return reading;
      return { fault: `must be ${what}, got ${String(reading.value)}` };
    },
  });
}

const share = checked(float64, 'between 0 and 1', (value) => value >= 0 && value <= 1);
const times = checked(int32, '1 or more', (value) => value >= 1);
const exitCode = checked(int32, 'between 0 and 255', (value) => value >= 0 && value <= 255);
const amount = checked<string>(quantity, 'a quantity that is not negative', (value) => quantityToNumber(value) >= 0);
const size = checked<string>(quantity, 'a quantity of at least 1 byte', (value) => quantityToNumber(value) >= 1);
const label = scalar({
  ...string,
  read(value) {
    if (typeof value !== 'string') return undefined;
    const [fault] = labelValue(value);
    return fault === undefined ? { value } : { fault: `${JSON.stringify(value)} is no label's value: ${fault}` };
  },
});
const faultKinds: readonly NodeFaultKind[] = ['unreachable', 'down'];
const nodeFault = scalar({
  expected: faultKinds.join(' or '),
  zero: undefined,
  read: (value) => ((faultKinds as readonly unknown[]).includes(value) ? { value } : undefined),
});

const container = object({
  ...{ namespace: string, pod: string, container: string, image: string },
  ...{ start: spread, ready: spread, run: spread, stop: spread, exitCode },
  crash: object({ share, times, after: spread, exitCodes: pointer(list(exitCode)) }),
  startFailure: object({ share, times, message: string }),
  log: pointer(list(string)),
  ...{ cpu: amount, memory: amount },
});

export const behaviourSchema = object({
  apiVersion: string,
  kind: string,
  node: object({
    cpu: checked(int32, 'between 1 and 1024', (value) => value >= 1 && value <= 1024),
    memory: size,
    labels: map(label),
  }),
  containers: list(container),
  images: list(
    object({ image: string, pull: spread, size: amount, pullFailure: object({ share, times, message: string }) }),
  ),
  nodeFaults: list(object({ fault: nodeFault, nodes: list(string), share, after: spread, lasts: spread, times })),
});

const longestMs = (text: string | undefined): number => (text === undefined ? 0 : longest(parseSpread(text)));

/** What the schema of each field alone cannot tell. */
export function furtherFaults({ node, containers = [], nodeFaults = [] }: BehaviourFile): readonly DecodeFault[] {
  const faults: [path: string, message: string][] = [];
  for (const key of Object.keys(node?.labels ?? {})) {
    const [fault] = qualifiedName(key);
    if (fault !== undefined) faults.push(['node.labels', `${JSON.stringify(key)} is no label's name: ${fault}`]);
  }
  containers.forEach(({ crash }, index) => {
    if (crash?.exitCodes?.length === 0)
      faults.push([`containers[${index}].crash.exitCodes`, 'must name at least one, got []']);
  });
  nodeFaults.forEach(({ fault, after, lasts, times = 1 }, index) => {
    if (fault === undefined) faults.push([`nodeFaults[${index}].fault`, `is required: ${faultKinds.join(' or ')}`]);
    // Each fault would begin at the instant at which the one before ends, all of them at once.
    if (times > 1 && lasts !== undefined && longestMs(after) === 0 && longestMs(lasts) === 0)
      faults.push([`nodeFaults[${index}].times`, `must be 1 when after and lasts are 0s, got ${times}`]);
  });
  return faults.map(([path, message]) => ({ kind: 'type', path, message }));
}
