import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container } from './pod-scene.js';
import { openRemains, type RecordState } from './pod-remains.js';

interface Row {
  readonly row: string;
  readonly pod?: 'Always' | 'OnFailure' | 'Never';
  readonly own?: Partial<Container>;
  readonly record: RecordState;
  readonly deleted?: boolean;
  readonly restarts: boolean;
}

const rule = (action: string, operator: string, ...values: number[]) => ({ action, exitCodes: { operator, values } });
const never = 'Never' as const;

const rows: readonly Row[] = [
  { row: '1 pod has deletionTimestamp', record: 'exited 1', deleted: true, restarts: false },
  { row: '2 no status: start', pod: never, record: 'none', restarts: true },
  { row: '2 running: no', record: 'running', restarts: false },
  { row: '2 unknown: restart', pod: never, record: 'unknown', restarts: true },
  { row: '2 created: restart', pod: never, record: 'created', restarts: true },
  {
    row: '3 In contains E: Restart',
    own: { restartPolicy: never, restartPolicyRules: [rule('Restart', 'In', 3, 42)] },
    record: 'exited 42',
    restarts: true,
  },
  {
    row: '3 In does not contain E',
    own: { restartPolicy: never, restartPolicyRules: [rule('Restart', 'In', 3)] },
    record: 'exited 42',
    restarts: false,
  },
  {
    row: '3 NotIn does not contain E: Restart',
    own: { restartPolicy: never, restartPolicyRules: [rule('Restart', 'NotIn', 0)] },
    record: 'exited 1',
    restarts: true,
  },
  {
    row: '3 NotIn contains E',
    own: { restartPolicy: never, restartPolicyRules: [rule('Restart', 'NotIn', 0)] },
    record: 'exited 0',
    restarts: false,
  },
  {
    row: '3 in order: the second rule matches',
    own: { restartPolicy: never, restartPolicyRules: [rule('Restart', 'In', 1), rule('Restart', 'In', 2)] },
    record: 'exited 2',
    restarts: true,
  },
  {
    row: '3 rules are evaluated only when container.restartPolicy is set',
    pod: never,
    own: { restartPolicyRules: [rule('Restart', 'In', 1)] },
    record: 'exited 1',
    restarts: false,
  },
  {
    row: '4 container policy Always yes',
    pod: never,
    own: { restartPolicy: 'Always' },
    record: 'exited 0',
    restarts: true,
  },
  {
    row: '4 container policy OnFailure E != 0',
    pod: never,
    own: { restartPolicy: 'OnFailure' },
    record: 'exited 1',
    restarts: true,
  },
  {
    row: '4 container policy OnFailure E = 0',
    own: { restartPolicy: 'OnFailure' },
    record: 'exited 0',
    restarts: false,
  },
  { row: '4 container policy Never no', own: { restartPolicy: never }, record: 'exited 1', restarts: false },
  { row: '5 pod policy Always yes', pod: 'Always', record: 'exited 0', restarts: true },
  { row: '5 pod policy OnFailure E != 0', pod: 'OnFailure', record: 'exited 1', restarts: true },
  { row: '5 pod policy OnFailure E = 0', pod: 'OnFailure', record: 'exited 0', restarts: false },
  { row: '5 pod policy Never no', pod: never, record: 'exited 1', restarts: false },
];

describe('restart decision for a container with exit code E', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  // A second container runs on, so that the pod does.
  it.each(rows)('$row', async ({ pod = 'Always', own = {}, record, deleted = false, restarts }) => {
    const containers = [container('main', own), container('second', { restartPolicy: 'Always' })];
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };
    scene = await openRemains({
      spec: { restartPolicy: pod, containers },
      records: { main: record },
      parts: deleted ? { metadata } : {},
    });
    await scene.pass();
    expect(scene.story().includes('start main')).toBe(restarts);
    expect(scene.story().includes('start second')).toBe(false);
    if (record === 'unknown')
      expect(scene.events()).toContain('Killing: Container is in "unknown" state, try killing it before restart');
  });
});
