import { describe, expect, it } from '@jest/globals';
import type { Container, ContainerState, Pod } from '@podwright/kube-types';
import { illegalTransition } from './container-transition.js';

interface Row {
  readonly name: string;
  /** As the API has it; undefined: not set. */
  readonly policy?: string;
  readonly exitCode: number;
  /** The state before; terminated with the exit code by default. */
  readonly before?: ContainerState;
  /** Null: the next status does not list the container. */
  readonly now?: ContainerState | null;
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
  { name: 'no policy, which is Always', exitCode: 0, refused: false },
  {
    name: 'Always, of a container that never restarts',
    policy: 'Always',
    exitCode: 0,
    own: rule('None'),
    refused: false,
  },
  { name: 'no policy, of a container that never restarts', exitCode: 0, own: rule('None'), refused: false },
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
  { name: 'Never, running all the time', policy: 'Never', exitCode: 1, before: { running: {} }, refused: false },
  { name: 'Never, not listed any more', policy: 'Never', exitCode: 1, now: null, refused: false },
  { name: 'a rule of its own matches', policy: 'Never', exitCode: 42, own: rule('Restart'), refused: false },
  { name: 'a rule of its own does not match', policy: 'Never', exitCode: 1, own: rule('Restart'), refused: true },
  {
    name: 'another container may restart all',
    policy: 'Never',
    exitCode: 0,
    other: rule('RestartAllContainers'),
    refused: false,
  },
  {
    name: 'a plain init container that may restart all, beside other rules',
    policy: 'Never',
    exitCode: 0,
    own: {
      restartPolicyRules: [...rule('Restart').restartPolicyRules, ...rule('RestartAllContainers').restartPolicyRules],
    },
    kind: 'init',
    refused: false,
  },
  { name: 'plain init container', policy: 'Never', exitCode: 0, kind: 'init', refused: true },
  { name: 'sidecar', policy: 'Never', exitCode: 0, own: { restartPolicy: 'Always' }, kind: 'init', refused: false },
];

describe('illegalTransition', () => {
  it.each(rows)(
    '$name: refused $refused',
    ({ policy, exitCode, before = { terminated: { exitCode } }, now = { running: {} }, own, other, ...row }) => {
      const { kind = 'regular', refused } = row;
      const container: Container = { name: 'a', ...own };
      const rest: Container[] = [{ name: 'b', ...other }];
      const pod: Pod = {
        metadata: {},
        spec: {
          ...(policy !== undefined && { restartPolicy: policy }),
          containers: kind === 'regular' ? [container, ...rest] : rest,
          initContainers: kind === 'init' ? [container] : [],
        },
      };
      const base = { ready: false, restartCount: 0, image: '', imageID: '' };
      // Another one comes first, and is in no state yet.
      const status = (state: ContainerState | null) => ({
        [kind === 'regular' ? 'containerStatuses' : 'initContainerStatuses']: [
          { name: 'z', ...base },
          ...(state === null ? [] : [{ name: 'a', state, ...base }]),
        ],
      });
      expect(illegalTransition(pod, status(before), status(now))).toBe(
        refused ? 'terminated container a attempted illegal transition to non-terminated state' : undefined,
      );
    },
  );
});
