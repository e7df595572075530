import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { Container, PodSpec } from '@podwright/kube-types';
import type { ProbeKind, ProbeResult } from '@podwright/probe-interface';
import { createFakePlan } from '../fixtures/fake-resources.js';
import { container, podWith, record, sidecar, statusWith } from '../fixtures/records.js';
import { computePodActions } from './compute-pod-actions.js';

interface Row {
  readonly row: string;
  readonly spec: Partial<PodSpec>;
  readonly records: readonly RuntimeContainerStatus[];
  /** `<kind>/<container id>` -> result. */
  readonly probes?: Readonly<Record<string, ProbeResult>>;
  /** Indexes of init containers, of regular ones, and `<id> <reason>`. */
  readonly expected: {
    readonly init?: number[];
    readonly start?: number[];
    readonly kills?: string[];
    readonly kill?: true;
  };
}

const probe = { exec: { command: ['true'] } };
const app = record('app', 'running');
const exited = (name: string, exitCode = 0): RuntimeContainerStatus => record(name, 'exited', { exitCode });
const plainThenSidecar = { initContainers: [container('i'), sidecar('s')] };
const sidecarThenPlain = { initContainers: [sidecar('s'), container('i')] };
const probed = (more: Partial<Container>): Partial<PodSpec> => ({ initContainers: [sidecar('s', more)] });
const never = { restartPolicy: 'Never' } as const;

function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    it.each(rows)('$row', ({ spec, records, probes = {}, expected }) => {
      const get = (kind: ProbeKind, id: string): ProbeResult | undefined => probes[`${kind}/${id}`];
      const actions = computePodActions(podWith(spec), statusWith(records), {}, { get }, createFakePlan());
      expect({
        init: actions.initContainersToStart,
        start: actions.containersToStart,
        kills: actions.containersToKill.map(({ containerId, reason }) => `${containerId} ${reason}`),
        kill: actions.killPod,
      }).toEqual({ init: [], start: [], kills: [], kill: false, ...expected });
    });
  });
}

// The rows that compute-pod-actions.spec.ts does not have, by the states of upstream's scan from last to first.
table('init containers', [
  {
    row: 'none, plain: skipped, the scan goes on',
    spec: { initContainers: [container('i'), container('j')] },
    records: [exited('i')],
    expected: { init: [1] },
  },
  {
    row: 'none, sidecar, before its turn: not started',
    spec: plainThenSidecar,
    records: [record('i', 'running')],
    expected: {},
  },
  { row: 'none, sidecar, its turn: started', spec: plainThenSidecar, records: [exited('i')], expected: { init: [1] } },
  {
    row: 'none, sidecar, initialised before: started',
    spec: plainThenSidecar,
    records: [app],
    expected: { init: [1] },
  },
  { row: 'nothing at all: index 0', spec: sidecarThenPlain, records: [], expected: { init: [0] } },
  {
    row: 'nothing but exited regular ones: index 0',
    spec: sidecarThenPlain,
    records: [exited('app')],
    expected: { init: [0] },
  },
  {
    row: 'created, plain, initialised before: skipped',
    spec: { initContainers: [container('i')] },
    records: [app, record('i', 'created')],
    expected: {},
  },
  {
    row: 'created, sidecar, initialised before: started again',
    spec: sidecarThenPlain,
    records: [app, record('s', 'created')],
    expected: { init: [0] },
  },
  {
    row: 'running, plain: waited for',
    spec: { initContainers: [container('i')] },
    records: [record('i', 'running')],
    expected: {},
  },
  {
    row: 'running, sidecar, not the last: the next one',
    spec: sidecarThenPlain,
    records: [record('s', 'running')],
    expected: { init: [1] },
  },
  {
    row: 'running, sidecar, initialised before: not the next one',
    spec: sidecarThenPlain,
    records: [app, record('s', 'running')],
    expected: {},
  },
  {
    row: 'running, sidecar, liveness without result: waited for',
    spec: probed({ livenessProbe: probe }),
    records: [app, record('s', 'running')],
    expected: {},
  },
  {
    row: 'running, sidecar, liveness unknown: kept',
    spec: probed({ livenessProbe: probe }),
    records: [app, record('s', 'running')],
    probes: { 'liveness/s-id': 'unknown' },
    expected: {},
  },
  {
    row: 'running, sidecar, liveness failure before initialised: killed, and done',
    spec: probed({ livenessProbe: probe }),
    records: [record('s', 'running')],
    probes: { 'liveness/s-id': 'failure' },
    expected: { init: [0], start: [0], kills: ['s-id liveness-probe'] },
  },
  {
    row: 'running, sidecar, startup failure: not done',
    spec: probed({ startupProbe: probe }),
    records: [record('s', 'running')],
    probes: { 'startup/s-id': 'failure' },
    expected: { init: [0], kills: ['s-id startup-probe'] },
  },
  {
    row: 'exited and failed, sidecar: started',
    spec: sidecarThenPlain,
    records: [exited('s', 1)],
    expected: { init: [0] },
  },
  {
    row: 'exited and failed, plain, initialised before: skipped',
    spec: { ...sidecarThenPlain, ...never },
    records: [app, exited('i', 1), record('s', 'running')],
    expected: {},
  },
  {
    row: 'exited and ok, plain, the last: initialised',
    spec: { initContainers: [container('i')] },
    records: [exited('i')],
    expected: { start: [0] },
  },
  {
    row: 'unknown, plain, own policy Never: the pod is killed',
    spec: { initContainers: [container('i', { restartPolicy: 'Never' })] },
    records: [record('i', 'unknown')],
    expected: { kill: true },
  },
  {
    row: 'unknown, plain, initialised before: skipped',
    spec: { initContainers: [container('i')] },
    records: [app, record('i', 'unknown')],
    expected: {},
  },
  {
    row: 'the start list ascends',
    spec: { initContainers: [sidecar('s'), sidecar('t'), container('i')] },
    records: [exited('i'), exited('t'), exited('s')],
    expected: { init: [0, 1], start: [0] },
  },
]);

const pair = (own: Partial<Container> = {}): Partial<PodSpec> => ({
  containers: [container('app', own), container('b')],
});
const b = record('b', 'running');

table('regular containers', [
  { row: 'missing, restart decision yes: started', spec: pair(), records: [b], expected: { start: [0] } },
  {
    row: 'not running, restart decision no: left',
    spec: { ...pair(), ...never },
    records: [exited('app', 1), b],
    expected: {},
  },
  {
    row: 'unknown: also killed first',
    spec: { ...pair(), ...never },
    records: [record('app', 'unknown'), b],
    expected: { start: [0], kills: ['app-id other'] },
  },
  {
    row: 'hash before liveness',
    spec: { ...pair(), ...never },
    records: [record('app', 'running', { hash: 'x' }), b],
    probes: { 'liveness/app-id': 'failure' },
    expected: { start: [0], kills: ['app-id other'] },
  },
  {
    row: 'liveness failure, own policy Always in a pod Never: started',
    spec: { ...pair({ restartPolicy: 'Always' }), ...never },
    records: [app, b],
    probes: { 'liveness/app-id': 'failure' },
    expected: { start: [0], kills: ['app-id liveness-probe'] },
  },
  {
    row: 'liveness failure, own policy Never: rules are not looked at',
    spec: pair({
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [0] } }],
    } as Partial<Container>),
    records: [app, b],
    probes: { 'liveness/app-id': 'failure' },
    expected: { kills: ['app-id liveness-probe'] },
  },
  {
    row: 'startup failure: started',
    spec: { ...pair(), restartPolicy: 'OnFailure' },
    records: [app, b],
    probes: { 'startup/app-id': 'failure' },
    expected: { start: [0], kills: ['app-id startup-probe'] },
  },
  {
    row: 'liveness and startup unknown: kept',
    spec: pair(),
    records: [app, b],
    probes: { 'liveness/app-id': 'unknown', 'startup/app-id': 'unknown' },
    expected: {},
  },
  {
    row: 'nothing kept, nothing to start: the pod is killed',
    spec: { ...pair(), ...never },
    records: [exited('app'), exited('b', 1)],
    expected: { kill: true },
  },
]);
