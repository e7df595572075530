import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import { NamespaceMode, PodSandboxState } from '@podwright/cri-client-interface';
import type { Container, Pod, PodSpec, PodStatus } from '@podwright/kube-types';
import type { ProbeKind, ProbeResult } from '@podwright/probe-interface';
import { createFakePlan } from '../fixtures/fake-resources.js';
import { container, podWith, record, sandbox, sidecar, statusWith } from '../fixtures/records.js';
import { computePodActions } from './compute-pod-actions.js';
import type { PodActions } from './pod-actions.js';

const notReady = sandbox({ state: PodSandboxState.SANDBOX_NOTREADY, attempt: 2 });
const hostSandbox = sandbox({
  attempt: 2,
  linux: {
    namespaces: { options: { network: NamespaceMode.NODE, pid: 0, ipc: 0, targetId: '', usernsOptions: undefined } },
  },
});

interface Case {
  readonly title: string;
  readonly spec?: Partial<PodSpec>;
  readonly metadata?: Pod['metadata'];
  readonly records?: readonly RuntimeContainerStatus[];
  readonly sandboxes?: Parameters<typeof statusWith>[1];
  readonly apiStatus?: PodStatus;
  /** `<kind>/<container id>` -> result. */
  readonly probes?: Readonly<Record<string, ProbeResult>>;
  /** What differs from: keep everything in the sandbox of attempt 0. */
  readonly expected: Partial<Summary>;
}

interface Summary {
  readonly kill: boolean;
  readonly create: boolean;
  readonly attempt: number;
  readonly id: string | undefined;
  readonly init: readonly number[];
  readonly start: readonly number[];
  readonly ephemeral: readonly number[];
  /** `<id> <reason>: <message>` */
  readonly kills: readonly string[];
  readonly resets: readonly string[];
}

function summary(actions: PodActions): Summary {
  return {
    kill: actions.killPod,
    create: actions.createSandbox,
    attempt: actions.attempt,
    id: actions.sandboxId,
    init: actions.initContainersToStart,
    start: actions.containersToStart,
    ephemeral: actions.ephemeralContainersToStart,
    kills: actions.containersToKill.map(({ containerId, reason, message }) => `${containerId} ${reason}: ${message}`),
    resets: actions.containersToReset.map(({ record: { id } }) => id),
  };
}

function run({ spec, metadata, records = [], sandboxes, apiStatus = {}, probes = {} }: Case): Summary {
  const get = (kind: ProbeKind, id: string): ProbeResult | undefined => probes[`${kind}/${id}`];
  return summary(
    computePodActions(podWith(spec, metadata), statusWith(records, sandboxes), apiStatus, { get }, createFakePlan()),
  );
}

const keep: Summary = {
  kill: false,
  create: false,
  attempt: 0,
  id: 'sandbox-1',
  init: [],
  start: [],
  ephemeral: [],
  kills: [],
  resets: [],
};

function table(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    it.each(cases.map((each) => [each.title, each] as const))('%s', (_, each) => {
      expect(run(each)).toEqual({ ...keep, ...each.expected });
    });
  });
}

const running = record('app', 'running');
const fresh = { kill: true, create: true, id: undefined };
const three = [container('a'), container('b'), container('c')];
const rules = (action: string, operator: string, values: number[]): Partial<Container> =>
  ({ restartPolicyRules: [{ action, exitCodes: { operator, values } }] }) as Partial<Container>;
const exited = (name: string, exitCode: number, more: Partial<RuntimeContainerStatus> = {}): RuntimeContainerStatus =>
  record(name, 'exited', { exitCode, ...more });
const restarting: PodStatus = { conditions: [{ type: 'AllContainersRestarting', status: 'True' }] };

table('sandbox', [
  { title: 'is made for a new pod', sandboxes: [], expected: { ...fresh, start: [0] } },
  {
    title: 'is replaced when two are ready',
    sandboxes: [sandbox({ id: 'new', attempt: 3 }), sandbox({ attempt: 2 })],
    expected: { ...fresh, attempt: 4, id: 'new', start: [0] },
  },
  {
    title: 'is replaced when the newest is not ready',
    sandboxes: [notReady, sandbox()],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', start: [0] },
  },
  {
    title: 'is replaced without telling when the network mode differs',
    sandboxes: [hostSandbox],
    expected: { ...fresh, attempt: 3, start: [0] },
  },
  {
    title: 'is replaced without telling for a pod moved to the host network',
    spec: { hostNetwork: true },
    records: [running],
    expected: { ...fresh, attempt: 1, start: [0] },
  },
  {
    title: 'is replaced when it lost its IP',
    sandboxes: [sandbox({ network: { ip: '', additionalIps: [] } })],
    expected: { ...fresh, attempt: 1, id: 'sandbox-1', start: [0] },
  },
  {
    title: 'stays without network status',
    records: [running],
    sandboxes: [{ ...sandbox(), network: undefined }],
    expected: {},
  },
  {
    title: 'stays without an IP on the host network',
    spec: { hostNetwork: true },
    records: [running],
    sandboxes: [{ ...hostSandbox, network: { ip: '', additionalIps: [] } }],
    expected: { attempt: 2 },
  },
]);

table('new sandbox', [
  {
    title: 'not for a pod that never restarts and has run',
    spec: { restartPolicy: 'Never' },
    records: [exited('app', 0)],
    sandboxes: [notReady],
    expected: { kill: true, attempt: 3 },
  },
  {
    title: 'for a pod that never restarts when no container was ever made',
    spec: { restartPolicy: 'Never' },
    sandboxes: [notReady],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', start: [0] },
  },
  {
    title: 'for a pod that never restarts when its container was made and never started',
    spec: { restartPolicy: 'Never' },
    records: [record('app', 'created')],
    sandboxes: [notReady],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', start: [0] },
  },
  {
    title: 'for what has never started in a pod that never restarts',
    spec: { restartPolicy: 'Never', containers: three },
    records: [exited('a', 255), record('b', 'created')],
    sandboxes: [notReady],
    apiStatus: {
      containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: 0, state: { running: {} } }],
    },
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', start: [1] },
  },
  {
    title: 'with the init containers again, if none has failed, even under Never',
    spec: { restartPolicy: 'Never', initContainers: [container('i')] },
    records: [exited('i', 0)],
    sandboxes: [notReady],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', init: [0] },
  },
  {
    title: 'with an init container that was made and never started, even under Never',
    spec: { restartPolicy: 'Never', initContainers: [container('i')] },
    records: [record('i', 'created')],
    sandboxes: [notReady],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', init: [0] },
  },
  {
    title: 'not for a pod that never restarts and has a failed init container',
    spec: { restartPolicy: 'Never', initContainers: [container('i')] },
    records: [exited('i', 1)],
    sandboxes: [notReady],
    expected: { kill: true, attempt: 3 },
  },
  {
    title: 'not for a pod that never restarts and has an init container of unknown state',
    spec: { restartPolicy: 'Never', initContainers: [container('i')] },
    records: [record('i', 'unknown')],
    sandboxes: [notReady],
    expected: { kill: true, attempt: 3 },
  },
  {
    title: 'starts all but those that succeeded under OnFailure',
    spec: { restartPolicy: 'OnFailure', containers: three },
    records: [exited('a', 0), exited('b', 1)],
    sandboxes: [notReady],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', start: [1, 2] },
  },
  {
    title: 'takes the container’s own OnFailure before the pod’s policy',
    spec: { containers: [container('a', { restartPolicy: 'OnFailure' }), container('b')] },
    records: [exited('a', 0), exited('b', 0)],
    sandboxes: [notReady],
    expected: { ...fresh, attempt: 3, id: 'sandbox-1', start: [1] },
  },
  {
    title: 'not when nothing is left to start',
    spec: { restartPolicy: 'OnFailure' },
    records: [exited('app', 0)],
    sandboxes: [notReady],
    expected: { kill: true, attempt: 3 },
  },
  {
    title: 'starts the first init container alone',
    spec: { initContainers: [container('i'), container('j')] },
    sandboxes: [],
    expected: { ...fresh, init: [0] },
  },
]);

table('ephemeral containers', [
  {
    title: 'are started once, never again',
    spec: { ephemeralContainers: [{ name: 'dbg' }, { name: 'dbg2' }] },
    records: [running, exited('dbg', 1)],
    expected: { ephemeral: [1] },
  },
  {
    title: 'are started again when the kubelet was killed between creation and start',
    spec: { ephemeralContainers: [{ name: 'dbg' }] },
    records: [running, record('dbg', 'created')],
    expected: { ephemeral: [0] },
  },
  {
    title: 'are started before the pod is initialised',
    spec: { initContainers: [container('i')], ephemeralContainers: [{ name: 'dbg' }] },
    records: [record('i', 'running')],
    expected: { ephemeral: [0] },
  },
]);

const two = { initContainers: [container('i'), container('j')] };

table('plain init containers', [
  { title: 'the first is started when none has a record', spec: two, expected: { init: [0] } },
  { title: 'the next is started after success', spec: two, records: [exited('i', 0)], expected: { init: [1] } },
  { title: 'a running one is waited for', spec: two, records: [record('i', 'running')], expected: {} },
  { title: 'a created one is started again', spec: two, records: [record('i', 'created')], expected: { init: [0] } },
  { title: 'a failed one is started again', spec: two, records: [exited('i', 1)], expected: { init: [0] } },
  {
    title: 'one that ran out of memory has failed',
    spec: two,
    records: [exited('i', 0, { reason: 'OOMKilled' })],
    expected: { init: [0] },
  },
  {
    title: 'a failed one ends a pod that never restarts',
    spec: { ...two, restartPolicy: 'Never' },
    records: [exited('i', 1)],
    expected: { kill: true },
  },
  {
    title: 'a rule may restart it even then',
    spec: {
      restartPolicy: 'Never',
      initContainers: [container('i', { restartPolicy: 'Never', ...rules('Restart', 'In', [42]) })],
    },
    records: [exited('i', 42)],
    expected: { init: [0] },
  },
  {
    title: 'regular ones start after the last',
    spec: two,
    records: [exited('j', 0), exited('i', 0)],
    expected: { start: [0] },
  },
  {
    title: 'early ones do not count once a later one has a record',
    spec: two,
    records: [record('j', 'running'), exited('i', 1)],
    expected: {},
  },
  { title: 'none counts while a regular one runs', spec: two, records: [running, exited('j', 1)], expected: {} },
  {
    title: 'none counts while a regular one is created',
    spec: two,
    records: [record('app', 'created'), exited('j', 1)],
    expected: { start: [0] },
  },
  {
    title: 'an exited regular one proves nothing',
    spec: two,
    records: [exited('app', 0), exited('i', 0)],
    expected: { init: [1] },
  },
  {
    title: 'one that has run in an earlier sandbox runs again',
    spec: two,
    sandboxes: [sandbox({ id: 'new', attempt: 1 }), notReady],
    records: [exited('j', 0), exited('i', 0)],
    expected: { id: 'new', attempt: 1, init: [0] },
  },
  {
    title: 'one of unknown state is killed and started again',
    spec: two,
    records: [record('i', 'unknown')],
    expected: { init: [0], kills: ['i-id other: Init container is in "unknown" state, try killing it before restart'] },
  },
  {
    title: 'one of unknown state ends a pod that never restarts',
    spec: { ...two, restartPolicy: 'Never' },
    records: [record('i', 'unknown')],
    expected: { kill: true },
  },
]);

const probe = { exec: { command: ['true'] } };
const beside = { initContainers: [sidecar('s'), container('i')] };

table('sidecars', [
  {
    title: 'running, the next init container is started',
    spec: beside,
    records: [record('s', 'running')],
    expected: { init: [1] },
  },
  {
    title: 'running as the last, the regular ones start',
    spec: { initContainers: [sidecar('s')] },
    records: [record('s', 'running')],
    expected: { start: [0] },
  },
  {
    title: 'a startup probe without result is waited for',
    spec: { initContainers: [sidecar('s', { startupProbe: probe })] },
    records: [record('s', 'running')],
    expected: {},
  },
  {
    title: 'a startup probe of unknown result is waited for',
    spec: { initContainers: [sidecar('s', { startupProbe: probe })] },
    records: [record('s', 'running')],
    probes: { 'startup/s-id': 'unknown' },
    expected: {},
  },
  {
    title: 'a failed startup probe restarts it, with no promise in the message',
    spec: { initContainers: [sidecar('s', { startupProbe: probe })] },
    records: [record('s', 'running')],
    probes: { 'startup/s-id': 'failure' },
    expected: { init: [0], kills: ['s-id startup-probe: Init container s failed startup probe'] },
  },
  {
    title: 'a good startup probe counts as done',
    spec: { initContainers: [sidecar('s', { startupProbe: probe })] },
    records: [record('s', 'running')],
    probes: { 'startup/s-id': 'success' },
    expected: { start: [0] },
  },
  {
    title: 'a changed definition restarts it while the pod runs',
    spec: beside,
    records: [running, record('s', 'running', { hash: 'other' })],
    expected: { init: [0], kills: ['s-id other: Init container s definition changed'] },
  },
  {
    title: 'a changed definition restarts it and lets the next one start',
    spec: beside,
    records: [record('s', 'running', { hash: 'other' })],
    expected: { init: [0, 1], kills: ['s-id other: Init container s definition changed'] },
  },
  {
    title: 'a failed liveness probe restarts it',
    spec: { initContainers: [sidecar('s', { livenessProbe: probe })] },
    records: [running, record('s', 'running')],
    probes: { 'liveness/s-id': 'failure' },
    expected: { init: [0], kills: ['s-id liveness-probe: Init container s failed liveness probe'] },
  },
  {
    title: 'ended in a running pod it is started again, whatever its exit',
    spec: beside,
    records: [running, exited('i', 0), exited('s', 0)],
    expected: { init: [0] },
  },
  {
    title: 'its record lost in a running pod it is started again',
    spec: beside,
    records: [running],
    expected: { init: [0] },
  },
  {
    title: 'its record lost after a later init container it is started again',
    spec: beside,
    records: [record('i', 'running')],
    expected: { init: [0] },
  },
  { title: 'created it is started again', spec: beside, records: [record('s', 'created')], expected: { init: [0] } },
  {
    title: 'of unknown state it is killed and started again, even if the pod never restarts',
    spec: { ...beside, restartPolicy: 'Never' },
    records: [running, exited('i', 0), record('s', 'unknown')],
    expected: { init: [0], kills: ['s-id other: Init container is in "unknown" state, try killing it before restart'] },
  },
]);

table('regular containers', [
  { title: 'are kept while they run', records: [running], expected: {} },
  {
    title: 'are started when missing',
    spec: { containers: three },
    records: [record('a', 'running')],
    expected: { start: [1, 2] },
  },
  { title: 'are started again under Always', records: [exited('app', 0)], expected: { start: [0] } },
  {
    title: 'are started again under OnFailure after a failure',
    spec: { restartPolicy: 'OnFailure' },
    records: [exited('app', 1)],
    expected: { start: [0] },
  },
  {
    title: 'the newest record counts',
    spec: { restartPolicy: 'OnFailure' },
    records: [exited('app', 0), exited('app', 1)],
    expected: { kill: true },
  },
  {
    title: 'created ones are started again, even under Never',
    spec: { restartPolicy: 'Never' },
    records: [record('app', 'created')],
    expected: { start: [0] },
  },
  {
    title: 'those of unknown state are killed first',
    records: [record('app', 'unknown')],
    expected: { start: [0], kills: ['app-id other: Container is in "unknown" state, try killing it before restart'] },
  },
  {
    title: 'are not started in a pod that is deleted',
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
    records: [exited('app', 1)],
    expected: { kill: true },
  },
  {
    title: 'a changed definition restarts them, even under Never',
    spec: { restartPolicy: 'Never' },
    records: [record('app', 'running', { hash: 'other' })],
    expected: { start: [0], kills: ['app-id other: Container app definition changed, will be restarted'] },
  },
  {
    title: 'a failed liveness probe restarts them',
    records: [running],
    probes: { 'liveness/app-id': 'failure', 'startup/app-id': 'failure' },
    expected: { start: [0], kills: ['app-id liveness-probe: Container app failed liveness probe, will be restarted'] },
  },
  {
    title: 'a failed startup probe restarts them',
    records: [running],
    probes: { 'startup/app-id': 'failure' },
    expected: { start: [0], kills: ['app-id startup-probe: Container app failed startup probe, will be restarted'] },
  },
  {
    title: 'a failed probe only ends them under Never',
    spec: { restartPolicy: 'Never', containers: [container('app'), container('b')] },
    records: [running, record('b', 'running')],
    probes: { 'liveness/app-id': 'failure' },
    expected: { kills: ['app-id liveness-probe: Container app failed liveness probe'] },
  },
  {
    title: 'a probe looks at the policy of the container first',
    spec: { containers: [container('app', { restartPolicy: 'Never' }), container('b')] },
    records: [running, record('b', 'running')],
    probes: { 'startup/app-id': 'failure' },
    expected: { kills: ['app-id startup-probe: Container app failed startup probe'] },
  },
  {
    title: 'rules of the container come before its policy',
    spec: {
      restartPolicy: 'Never',
      containers: [container('a', { restartPolicy: 'Never', ...rules('Restart', 'NotIn', [0]) }), container('b')],
    },
    records: [exited('a', 3), record('b', 'running')],
    expected: { start: [0] },
  },
  {
    title: 'rules without a policy of the container do not count',
    spec: { restartPolicy: 'Never', containers: [container('a', rules('Restart', 'In', [3])), container('b')] },
    records: [exited('a', 3), record('b', 'running')],
    expected: {},
  },
  {
    title: 'when nothing runs and nothing is to start the pod is killed, sidecars included',
    spec: { restartPolicy: 'Never', initContainers: [sidecar('s')] },
    records: [exited('app', 0), record('s', 'running', { hash: 'other' })],
    expected: { kill: true, kills: ['s-id other: Init container s definition changed'] },
  },
]);

const all = rules('RestartAllContainers', 'In', [88]);
const source = container('src', { restartPolicy: 'Never', ...all });
const initSource = container('isrc', { restartPolicy: 'Never', ...all });

table('RestartAllContainers', [
  {
    title: 'clears victims first, then the sources, all records of each',
    spec: {
      restartPolicy: 'Never',
      containers: [source, container('app')],
      initContainers: [initSource, container('i')],
    },
    records: [
      exited('src', 88),
      record('app', 'running'),
      exited('app', 1, { id: 'app-old' }),
      exited('isrc', 88),
      exited('i', 0),
    ],
    apiStatus: restarting,
    expected: { resets: ['app-id', 'app-old', 'i-id', 'src-id', 'isrc-id'] },
  },
  {
    title: 'only makes the sandbox when that is gone too',
    spec: { restartPolicy: 'Never', containers: [source] },
    records: [exited('src', 88)],
    sandboxes: [notReady],
    apiStatus: restarting,
    expected: { ...fresh, attempt: 3, id: 'sandbox-1' },
  },
  {
    title: 'does nothing unless the condition is True',
    records: [running],
    apiStatus: {
      conditions: [
        { type: 'AllContainersRestarting', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
    expected: {},
  },
  {
    title: 'takes no running container for a source, although its exit code is 0',
    spec: {
      containers: [container('app', { restartPolicy: 'Never', ...rules('RestartAllContainers', 'In', [0]) })],
      initContainers: [container('i')],
    },
    records: [running, exited('i', 0)],
    apiStatus: restarting,
    expected: { resets: ['app-id', 'i-id'] },
  },
]);
