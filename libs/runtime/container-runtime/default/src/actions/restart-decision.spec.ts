import { describe, expect, it } from '@jest/globals';
import {
  newestRecord,
  shouldContainerBeStarted,
  type RuntimeContainerStatus,
} from '@podwright/container-runtime-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { container, podWith, record, statusWith } from '../fixtures/records.js';

interface RestartRule {
  readonly action: string;
  readonly exitCodes: { readonly operator: string; readonly values: readonly number[] };
}

interface Row {
  /** In the words of upstream's rules, in their order. */
  readonly row: string;
  readonly pod?: string;
  readonly own?: Partial<Container> & { readonly restartPolicyRules?: readonly RestartRule[] };
  readonly metadata?: Pod['metadata'];
  readonly record?: RuntimeContainerStatus;
  readonly restarts: boolean;
}

const exited = (exitCode: number): RuntimeContainerStatus => record('app', 'exited', { exitCode });
const rule = (action: string, operator: string, ...values: number[]): RestartRule => ({
  action,
  exitCodes: { operator, values },
});
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('a container that does not run is started again', () => {
  it.each<Row>([
    { row: '1 not in a pod with a deletion timestamp', metadata: deleted, record: exited(1), restarts: false },
    { row: '1 not even without a record', metadata: deleted, restarts: false },
    { row: '2 without a record', pod: 'Never', restarts: true },
    { row: '2 not while it runs', record: record('app', 'running'), restarts: false },
    { row: '2 in unknown state', pod: 'Never', record: record('app', 'unknown'), restarts: true },
    { row: '2 when only created', pod: 'Never', record: record('app', 'created'), restarts: true },
    {
      row: '3 rule In matches, Restart',
      own: { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'In', 3, 42)] },
      record: exited(42),
      restarts: true,
    },
    {
      row: '3 rule NotIn matches, Restart',
      own: { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'NotIn', 0)] },
      record: exited(1),
      restarts: true,
    },
    {
      row: '3 rule RestartAllContainers restarts its container too',
      own: { restartPolicy: 'Never', restartPolicyRules: [rule('RestartAllContainers', 'In', 88)] },
      record: exited(88),
      restarts: true,
    },
    {
      row: '3 a later rule counts when the first does not match',
      own: { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'In', 1), rule('Restart', 'In', 2)] },
      record: exited(2),
      restarts: true,
    },
    {
      row: '3 not by rules without a policy of its own',
      pod: 'Never',
      own: { restartPolicyRules: [rule('Restart', 'In', 1)] },
      record: exited(1),
      restarts: false,
    },
    {
      row: '4 no rule matches, own policy Never',
      pod: 'Always',
      own: { restartPolicy: 'Never', restartPolicyRules: [rule('Restart', 'In', 1)] },
      record: exited(2),
      restarts: false,
    },
    { row: '4 own policy Always', pod: 'Never', own: { restartPolicy: 'Always' }, record: exited(0), restarts: true },
    {
      row: '4 own OnFailure, failed',
      pod: 'Never',
      own: { restartPolicy: 'OnFailure' },
      record: exited(1),
      restarts: true,
    },
    { row: '4 own OnFailure, succeeded', own: { restartPolicy: 'OnFailure' }, record: exited(0), restarts: false },
    { row: '5 policy of the pod Always', pod: 'Always', record: exited(0), restarts: true },
    { row: '5 policy of the pod OnFailure, failed', pod: 'OnFailure', record: exited(1), restarts: true },
    { row: '5 policy of the pod OnFailure, succeeded', pod: 'OnFailure', record: exited(0), restarts: false },
    { row: '5 policy of the pod Never', pod: 'Never', record: exited(1), restarts: false },
  ])('row $row: $restarts', ({ pod: restartPolicy = 'Always', own = {}, metadata, record: newest, restarts }) => {
    const app = container('app', own as Partial<Container>);
    const pod = podWith({ restartPolicy, containers: [app] }, metadata);
    expect(
      shouldContainerBeStarted(pod, app, newestRecord(statusWith(newest === undefined ? [] : [newest]), app.name)),
    ).toBe(restarts);
  });
});
