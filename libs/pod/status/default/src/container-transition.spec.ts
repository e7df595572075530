import { describe, expect, it } from '@jest/globals';
import type { Container, ContainerState, Pod } from '@podwright/kube-types';
import { illegalTransition } from './container-transition.js';

interface Row {
  readonly name: string;
  readonly policy: string;
  readonly exitCode: number;
  readonly now?: ContainerState;
  readonly own?: object;
  readonly other?: object;
  readonly kind?: 'regular' | 'init';
  readonly refused: boolean;
}

const rule = (action: string) => ({
  restartPolicy: 'Never',
  restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [42] } }],
});

const rows: readonly Row[] = [
  { name: 'Always', policy: 'Always', exitCode: 0, refused: false },
  { name: 'OnFailure after a failure', policy: 'OnFailure', exitCode: 1, refused: false },
  { name: 'OnFailure after a success', policy: 'OnFailure', exitCode: 0, refused: true },
  { name: 'Never', policy: 'Never', exitCode: 1, refused: true },
  { name: 'Never, to waiting', policy: 'Never', exitCode: 1, now: { waiting: {} }, refused: true },
  {
    name: 'Never, still terminated',
    policy: 'Never',
    exitCode: 1,
    now: { terminated: { exitCode: 1 } },
    refused: false,
  },
  { name: 'a rule of its own matches', policy: 'Never', exitCode: 42, own: rule('Restart'), refused: false },
  { name: 'a rule of its own does not match', policy: 'Never', exitCode: 1, own: rule('Restart'), refused: true },
  {
    name: 'another container may restart all',
    policy: 'Never',
    exitCode: 0,
    other: rule('RestartAllContainers'),
    refused: false,
  },
  { name: 'plain init container', policy: 'Never', exitCode: 0, kind: 'init', refused: true },
  { name: 'sidecar', policy: 'Never', exitCode: 0, own: { restartPolicy: 'Always' }, kind: 'init', refused: false },
];

describe('illegalTransition', () => {
  it.each(rows)(
    '$name: refused $refused',
    ({ policy, exitCode, now = { running: {} }, own, other, kind = 'regular', refused }) => {
      const container: Container = { name: 'a', ...own };
      const rest: Container[] = [{ name: 'b', ...other }];
      const pod: Pod = {
        metadata: {},
        spec: {
          restartPolicy: policy,
          containers: kind === 'regular' ? [container, ...rest] : rest,
          initContainers: kind === 'init' ? [container] : [],
        },
      };
      const status = (state: ContainerState) => ({
        [kind === 'regular' ? 'containerStatuses' : 'initContainerStatuses']: [
          { name: 'a', state, ready: false, restartCount: 0, image: '', imageID: '' },
        ],
      });
      expect(illegalTransition(pod, status({ terminated: { exitCode } }), status(now))).toBe(
        refused ? 'terminated container a attempted illegal transition to non-terminated state' : undefined,
      );
    },
  );
});
