import { messageOf } from '@podwright/errors';
import {
  always,
  float64,
  int32,
  list,
  object,
  pointer,
  quantity,
  scalar,
  string,
  strings,
  type ScalarSchema,
} from '@podwright/pod-manifest';
import type { NodeFaultKind } from './hollow-behaviour.js';
import { parseSpread } from './spread.js';

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
    readonly fault: NodeFaultKind;
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
function checked(schema: ScalarSchema, what: string, accepts: (value: number) => boolean): ScalarSchema {
  return pointer({
    ...schema,
    read(value) {
      const reading = schema.read(value);
      if (reading === undefined || 'fault' in reading || accepts(reading.value as number)) return reading;
      return { fault: `must be ${what}, got ${String(reading.value)}` };
    },
  });
}

const share = checked(float64, 'between 0 and 1', (value) => value >= 0 && value <= 1);
const times = checked(int32, '1 or more', (value) => value >= 1);
const exitCode = checked(int32, 'between 0 and 255', (value) => value >= 0 && value <= 255);
const faultKinds: readonly NodeFaultKind[] = ['unreachable', 'down'];
const nodeFault = scalar({
  expected: faultKinds.join(' or '),
  zero: undefined,
  read: (value) => ((faultKinds as readonly unknown[]).includes(value) ? { value } : undefined),
});

const container = object({
  ...{ namespace: string, pod: string, container: string, image: string },
  ...{ start: spread, ready: spread, run: spread, stop: spread, exitCode },
  crash: object({ share, times, after: spread, exitCodes: list(exitCode) }),
  startFailure: object({ share, times, message: string }),
  log: pointer(list(string)),
  ...{ cpu: quantity, memory: quantity },
});

export const behaviourSchema = object({
  apiVersion: string,
  kind: string,
  node: object({
    cpu: checked(int32, 'between 1 and 1024', (value) => value >= 1 && value <= 1024),
    memory: quantity,
    labels: strings,
  }),
  containers: list(container),
  images: list(
    object({ image: string, pull: spread, size: quantity, pullFailure: object({ share, times, message: string }) }),
  ),
  nodeFaults: list(
    object({ fault: always(nodeFault), nodes: list(string), share, after: spread, lasts: spread, times }),
  ),
});
