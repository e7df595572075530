import { describe, expect, it } from '@jest/globals';
import type { Container, ContainerState, ContainerStatus, Pod } from '@podwright/kube-types';
import { computePhase, type PodPhase } from './phase.js';

const running: ContainerState = { running: {} };
const waiting: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const exited = (exitCode: number, reason = 'Completed'): ContainerState => ({ terminated: { exitCode, reason } });

function status(name: string, state: ContainerState, lastState?: ContainerState, started?: boolean): ContainerStatus {
  return {
    name,
    state,
    ...(lastState && { lastState }),
    ...(started !== undefined && { started }),
    ready: false,
    restartCount: 0,
    image: 'i',
    imageID: '',
  };
}

interface Row {
  readonly name: string;
  readonly policy?: 'Always' | 'OnFailure' | 'Never';
  readonly containers?: readonly (ContainerStatus | undefined)[];
  readonly init?: readonly (ContainerStatus | undefined)[];
  readonly sidecars?: readonly string[];
  readonly terminal?: boolean;
  readonly staticPod?: boolean;
  /** Policies of single containers. */
  readonly policies?: Readonly<Record<string, string>>;
  readonly regularContainersStarted?: boolean;
  readonly phase: PodPhase;
}

// Names in the spec follow from the position: a, b for regular containers, i, j for init containers.
const rows: readonly Row[] = [
  { name: 'nothing known yet', containers: [undefined], phase: 'Pending' },
  { name: 'all running', containers: [status('a', running), status('b', running)], phase: 'Running' },
  { name: 'one running, one unknown', containers: [status('a', running), undefined], phase: 'Pending' },
  {
    name: 'one still waiting for its first start',
    containers: [status('a', running), status('b', waiting)],
    phase: 'Pending',
  },
  { name: 'waiting after a crash counts as stopped', containers: [status('a', waiting, exited(1))], phase: 'Running' },
  { name: 'one running, one stopped', containers: [status('a', running), status('b', exited(0))], phase: 'Running' },
  { name: 'all stopped, policy Always', containers: [status('a', exited(0))], phase: 'Running' },
  {
    name: 'all succeeded, policy OnFailure',
    policy: 'OnFailure',
    containers: [status('a', exited(0))],
    phase: 'Succeeded',
  },
  {
    name: 'one failed, policy OnFailure',
    policy: 'OnFailure',
    containers: [status('a', exited(0)), status('b', exited(1))],
    phase: 'Running',
  },
  {
    name: 'all succeeded, policy Never',
    policy: 'Never',
    containers: [status('a', exited(0)), status('b', exited(0))],
    phase: 'Succeeded',
  },
  {
    name: 'one failed, policy Never',
    policy: 'Never',
    containers: [status('a', exited(0)), status('b', exited(3))],
    phase: 'Failed',
  },
  {
    name: 'ended by the worker, all exit codes 0',
    containers: [status('a', exited(0))],
    terminal: true,
    phase: 'Succeeded',
  },
  {
    name: 'ended by the worker, one exit code 137',
    containers: [status('a', exited(137))],
    terminal: true,
    phase: 'Failed',
  },
  {
    name: 'a static pod ended by the worker',
    containers: [status('a', exited(0))],
    terminal: true,
    staticPod: true,
    phase: 'Running',
  },
  {
    name: 'init container running',
    init: [status('i', running)],
    containers: [status('a', waiting)],
    phase: 'Pending',
  },
  { name: 'init container without status', init: [undefined], containers: [status('a', running)], phase: 'Pending' },
  {
    name: 'init container failed for good',
    policy: 'Never',
    init: [status('i', exited(1))],
    containers: [status('a', waiting)],
    phase: 'Failed',
  },
  {
    name: 'init container failed, will be retried',
    init: [status('i', exited(1))],
    containers: [status('a', waiting)],
    phase: 'Pending',
  },
  {
    name: 'init container in back-off',
    init: [status('i', waiting, exited(1))],
    containers: [status('a', waiting)],
    phase: 'Pending',
  },
  {
    name: 'init container failed before, policy Never, now waiting',
    policy: 'Never',
    init: [status('i', waiting, exited(1))],
    containers: [status('a', waiting)],
    phase: 'Failed',
  },
  {
    name: 'init done, all running',
    init: [status('i', exited(0))],
    containers: [status('a', running)],
    phase: 'Running',
  },
  {
    name: 'sidecar runs but has not started',
    sidecars: ['i'],
    init: [status('i', running, undefined, false)],
    containers: [status('a', waiting)],
    phase: 'Pending',
  },
  {
    name: 'sidecar unstarted but the regular ones have begun',
    sidecars: ['i'],
    init: [status('i', running, undefined, false)],
    containers: [status('a', running)],
    regularContainersStarted: true,
    phase: 'Running',
  },
  {
    name: 'sidecar alone runs on',
    policy: 'Never',
    sidecars: ['i'],
    init: [status('i', running, undefined, true)],
    containers: [status('a', exited(0))],
    phase: 'Running',
  },
  {
    name: 'init container without any state',
    init: [status('i', {})],
    containers: [status('a', running)],
    phase: 'Pending',
  },
  {
    name: 'init container failed, its own policy restarts it',
    policy: 'Never',
    init: [status('i', exited(1))],
    containers: [status('a', waiting)],
    policies: { i: 'OnFailure' },
    phase: 'Pending',
  },
  {
    name: 'init container removed for a restart of all',
    policy: 'Never',
    init: [status('i', waiting, exited(137, 'RestartingAllContainers'))],
    containers: [status('a', waiting, exited(137, 'RestartingAllContainers'))],
    phase: 'Running',
  },
  {
    name: 'sidecar without any state while nothing regular has begun',
    sidecars: ['i'],
    init: [status('i', {})],
    containers: [status('a', running)],
    phase: 'Pending',
  },
  {
    name: 'sidecar without any state counts as unknown afterwards',
    sidecars: ['i'],
    init: [status('i', {})],
    containers: [status('a', running)],
    regularContainersStarted: true,
    phase: 'Pending',
  },
  {
    name: 'sidecar without a status is unknown',
    sidecars: ['i'],
    init: [undefined],
    containers: [status('a', running)],
    regularContainersStarted: true,
    phase: 'Pending',
  },
  {
    name: 'sidecar waits for its first start while a regular one runs',
    sidecars: ['i'],
    init: [status('i', waiting)],
    containers: [status('a', running)],
    regularContainersStarted: true,
    phase: 'Pending',
  },
  {
    name: 'sidecar that ended counts nowhere',
    sidecars: ['i'],
    init: [status('i', exited(1))],
    containers: [status('a', running)],
    phase: 'Running',
  },
  {
    name: 'sidecar that waits after an end counts nowhere',
    policy: 'Never',
    sidecars: ['i'],
    init: [status('i', waiting, exited(1))],
    containers: [status('a', exited(0))],
    phase: 'Succeeded',
  },
  { name: 'a container without any state', containers: [status('a', {})], phase: 'Pending' },
  {
    name: 'one stopped, one unknown',
    policy: 'Never',
    containers: [status('a', exited(0)), undefined],
    phase: 'Pending',
  },
  {
    name: 'one failed for good, one to be restarted by its own policy',
    policy: 'Never',
    containers: [status('a', exited(1)), status('b', exited(1))],
    policies: { b: 'Always' },
    phase: 'Running',
  },
  {
    name: 'a success before counts as an end, not as a success',
    policy: 'Never',
    containers: [status('a', waiting, exited(0))],
    phase: 'Failed',
  },
  {
    name: 'ended by the worker while one is unknown',
    containers: [status('a', exited(0)), undefined],
    terminal: true,
    phase: 'Pending',
  },
  {
    name: 'ended by the worker while one runs',
    containers: [status('a', exited(0)), status('b', running)],
    terminal: true,
    phase: 'Running',
  },
  {
    name: 'a static pod that has come to its end itself',
    policy: 'Never',
    containers: [status('a', exited(0))],
    terminal: true,
    staticPod: true,
    phase: 'Succeeded',
  },
  {
    name: 'sidecar ended with the rest',
    policy: 'Never',
    sidecars: ['i'],
    init: [status('i', exited(0))],
    containers: [status('a', exited(0))],
    phase: 'Succeeded',
  },
];

describe('computePhase', () => {
  it.each(rows)('$name: $phase', (row) => {
    const container = (name: string): Container => ({
      name,
      ...(row.policies?.[name] !== undefined && { restartPolicy: row.policies[name] }),
      ...(row.sidecars?.includes(name) && { restartPolicy: 'Always' }),
    });
    const init = row.init ?? [];
    const regular = row.containers ?? [];
    const pod: Pod = {
      metadata: { annotations: row.staticPod ? { 'kubernetes.io/config.source': 'file' } : {} },
      spec: {
        restartPolicy: row.policy ?? 'Always',
        initContainers: init.map((_, index) => container('ij'[index] ?? '')),
        containers: regular.map((_, index) => container('ab'[index] ?? '')),
      },
    };
    const present = (list: readonly (ContainerStatus | undefined)[]): readonly ContainerStatus[] =>
      list.filter((one) => one !== undefined);
    expect(
      computePhase({
        pod,
        status: { containerStatuses: present(regular), initContainerStatuses: present(init) },
        terminal: row.terminal ?? false,
        regularContainersStarted: row.regularContainersStarted ?? false,
      }),
    ).toBe(row.phase);
  });
});
