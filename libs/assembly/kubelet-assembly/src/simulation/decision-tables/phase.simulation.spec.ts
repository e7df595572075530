import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, ContainerStatus, PodStatus } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container, sidecar } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  readonly row: string;
  readonly phase: string;
  /** Containers that cannot be started, so that the phase of the moment stays to be seen. */
  readonly held?: readonly string[];
  readonly reason?: string;
}

const pair = [container('main'), container('second')];
const inits = { initContainers: [container('i')] };
const beside = (more: Partial<Container> = {}) => ({ initContainers: [sidecar('s', more)] });
const unstarted = { startupProbe: { exec: { command: ['begin'] }, initialDelaySeconds: 600 } };
const never = { restartPolicy: 'Never' } as const;
const onFailure = { restartPolicy: 'OnFailure' } as const;
const restartRule = {
  ...never,
  restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
};

const rows: readonly Row[] = [
  {
    row: '1 initFailedFinal > 0 | Failed',
    spec: { ...inits, ...never },
    records: { main: 'none', i: 'exited 1' },
    phase: 'Failed',
  },
  {
    row: '1 not by an init container that will be restarted',
    spec: inits,
    records: { main: 'none', i: 'exited 1' },
    held: ['i'],
    phase: 'Pending',
  },
  {
    row: '2 initPending > 0: running | Pending',
    spec: inits,
    records: { main: 'none', i: 'running' },
    phase: 'Pending',
  },
  {
    row: '2 initPending > 0: no status | Pending',
    spec: inits,
    records: { main: 'none', i: 'none' },
    held: ['i'],
    phase: 'Pending',
  },
  {
    row: '2 sidecarPending > 0 and no regular container record belongs to the newest sandbox | Pending',
    before: beside(),
    spec: beside(unstarted),
    records: { main: 'none' },
    phase: 'Pending',
  },
  {
    row: '2 sidecarPending, but a regular container record belongs to the newest sandbox | Running',
    before: beside(),
    spec: beside(unstarted),
    phase: 'Running',
  },
  {
    row: '2 waiting > 0 | Pending',
    spec: { containers: pair },
    records: { second: 'none' },
    held: ['second'],
    phase: 'Pending',
  },
  { row: '3 running > 0 and unknown = 0 | Running', spec: { containers: pair }, phase: 'Running' },
  {
    row: '3 running > 0, the other one stopped for good | Running',
    spec: { containers: pair, ...never },
    records: { second: 'exited 1' },
    phase: 'Running',
  },
  {
    row: '5 not terminal: stopped != stoppedFinal | Running',
    records: { main: 'exited 1' },
    held: ['main'],
    phase: 'Running',
  },
  {
    row: '5 stopped != stoppedFinal by a rule of its own | Running',
    spec: { containers: [container('main', restartRule)], ...never },
    records: { main: 'exited 42' },
    held: ['main'],
    phase: 'Running',
  },
  { row: '6 stopped = succeeded | Succeeded', spec: onFailure, records: { main: 'exited 0' }, phase: 'Succeeded' },
  {
    row: '6 sidecars that are terminated count nowhere',
    spec: { ...beside(), ...never },
    records: { main: 'exited 0', s: 'exited 1' },
    phase: 'Succeeded',
  },
  {
    row: '7 rest of that group | Failed',
    spec: { containers: pair, ...never },
    records: { main: 'exited 0', second: 'exited 1' },
    phase: 'Failed',
  },
  {
    row: 'then: a terminal API phase can never change',
    parts: { status: { phase: 'Failed', reason: 'Odd', message: 'it was so' } },
    phase: 'Failed',
    reason: 'Odd',
  },
  {
    row: 'then: a phase equal to the old one keeps the old reason',
    parts: { status: { phase: 'Running', reason: 'Old' } },
    phase: 'Running',
    reason: 'Old',
  },
];

describe('pod phase', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ row: _row, phase, held = [], reason, ...remains }) => {
    const hold = ({ node }: PodScene): void => {
      for (const subject of held)
        node.runtime.faults.fail({ rpc: 'createContainer', subject }, { code: 'unknown', times: Infinity });
    };
    scene = await openRemains({ ...remains, meanwhile: hold });
    await scene.pass();
    expect(scene.phase).toBe(phase);
    expect(scene.status?.reason).toBe(reason);
  });

  describe('4 pod is terminal (worker stopped it)', () => {
    it.each([
      { row: 'Succeeded if stopped = succeeded', from: 'api', exitCode: 0, phase: 'Succeeded' },
      { row: 'else Failed', from: 'api', exitCode: 3, phase: 'Failed' },
      { row: 'not a static pod: it will be restarted (5)', from: 'file', exitCode: 3, phase: 'Running' },
    ] as const)('$row', async ({ from, exitCode, phase }) => {
      scene = await openRemains({ from });
      scene.node.runtime.control
        .containers()
        .forEach((record) => Object.assign(record, { program: { onStop: { afterMs: 500, exitCode } } }));
      await scene.pass();
      const seen = (): PodStatus | undefined => scene.node.statuses.at(-1)?.status;
      scene.want({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 } });
      await scene.node.until(() => scene.node.isStopped(scene.pod));
      await scene.pass(1_000);
      expect(seen()?.phase).toBe(phase);
    });
  });

  it('then: activeDeadlineSeconds: Failed, DeadlineExceeded, message and event (Normal)', async () => {
    scene = await openRemains({ spec: { activeDeadlineSeconds: 20 } });
    const message = 'Pod was active on the node longer than the specified deadline';
    const startedAtMs = Date.parse(scene.status?.startTime ?? new Date(scene.node.clock.now()).toISOString());
    await scene.node.until(() => scene.phase === 'Failed');
    expect(scene.node.clock.now() - startedAtMs).toBeGreaterThanOrEqual(19_000);
    expect(scene.node.clock.now() - startedAtMs).toBeLessThan(23_000);
    expect(scene.status).toMatchObject({ reason: 'DeadlineExceeded', message });
    expect(scene.events('DeadlineExceeded')).toEqual([`DeadlineExceeded: ${message}`]);
    expect(scene.node.events(scene.pod).find(({ reason }) => reason === 'DeadlineExceeded')?.type).toBe('Normal');
    await scene.node.until(() => scene.node.isStopped(scene.pod));
  });

  it('8 otherwise | Pending: a running container whose record is of unknown state', async () => {
    const unknown = (statuses: readonly ContainerStatus[] = []) => statuses.map(({ state }) => state?.waiting);
    scene = await openRemains({
      records: { main: 'unknown' },
      spec: never,
      meanwhile: ({ node }) => {
        node.runtime.faults.fail({ rpc: 'stopContainer' }, { code: 'unknown', times: Infinity });
      },
    });
    await scene.pass();
    expect(scene.phase).toBe('Pending');
    expect(unknown(scene.status?.containerStatuses)).toHaveLength(1);
  });
});
