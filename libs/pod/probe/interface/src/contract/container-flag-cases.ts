import { expect, it } from '@podwright/contract';
import type { ContainerState, ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';
import type { ProbeManagerHarness } from './probe-manager-harness.js';

const pod: Pod = {
  metadata: { name: 'plain', namespace: 'default', uid: 'u2' },
  spec: {
    containers: [{ name: 'app' }],
    initContainers: [{ name: 'init' }, { name: 'side', restartPolicy: 'Always' }],
  },
};
const running: ContainerState = { running: {} };
const waiting: ContainerState = { waiting: { reason: 'PodInitializing' } };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });
const status = (name: string, state: ContainerState): ContainerStatus => ({
  name,
  state,
  containerID: `containerd://${name}`,
  ready: false,
  restartCount: 3,
  image: 'i',
  imageID: '',
});

/** `started` and `ready` of containers without probes. */
export function describeContainerFlags(create: () => Promise<ProbeManagerHarness>): void {
  async function filled(app: ContainerState, init: ContainerState, side: ContainerState): Promise<PodStatus> {
    const { manager } = await create();
    await manager.start();
    manager.addPod(pod);
    const filledIn = manager.withProbeResults(pod, {
      phase: 'Running',
      containerStatuses: [status('app', app)],
      initContainerStatuses: [status('init', init), status('side', side)],
    });
    await manager.stop();
    return filledIn;
  }
  const flags = ({ containerStatuses = [], initContainerStatuses = [] }: PodStatus): unknown =>
    Object.fromEntries(
      [...containerStatuses, ...initContainerStatuses].map((one) => [one.name, [one.started, one.ready]]),
    );

  it('takes running containers without probes for started and ready', async () => {
    expect(flags(await filled(running, ended(0), running))).toEqual({
      app: [true, true],
      init: [false, true],
      side: [true, true],
    });
  });

  it('takes what does not run for neither, and plain init containers for ready once they have succeeded', async () => {
    expect(flags(await filled(waiting, running, ended(0)))).toEqual({
      app: [false, false],
      init: [true, false],
      side: [false, false],
    });
    expect(flags(await filled(ended(0), ended(1), waiting))).toEqual({
      app: [false, false],
      init: [false, false],
      side: [false, false],
    });
  });

  it('changes nothing else in the status, and adds no list', async () => {
    const { phase, containerStatuses } = await filled(running, ended(0), running);
    expect(phase).toBe('Running');
    expect(containerStatuses).toEqual([{ ...status('app', running), started: true, ready: true }]);
    const { manager } = await create();
    expect(manager.withProbeResults(pod, { phase: 'Pending' })).toEqual({ phase: 'Pending' });
  });

  it('has no result of a container that is not probed', async () => {
    const { manager, results } = await create();
    manager.addPod(pod);
    for (const kind of ['liveness', 'readiness', 'startup'] as const) expect(results.get(kind, 'app')).toBeUndefined();
    await manager.stop();
  });
}
