import { describe, expect, it } from '@jest/globals';
import type { Container, ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';
import { ended, podWith, statusOf, waiting } from './fixtures/probed-pods.js';
import { comesBack, probedStatus } from './probe-target-status.js';

const statusNamed = (name: string, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  ...{ name, containerID: `containerd://${name}`, ready: false, restartCount: 0, image: '', imageID: '' },
  ...more,
});

it('the container of a probe is found among all that were created, the regular ones first', () => {
  const containerStatuses = [statusNamed('a'), statusNamed('app', { containerID: '' }), statusNamed('both')];
  const initContainerStatuses = [statusNamed('app', { containerID: 'i' }), statusNamed('both', { containerID: 'i' })];
  const status: PodStatus = { containerStatuses, initContainerStatuses };
  expect(probedStatus(status, 'app')?.containerID).toBe('i');
  expect(probedStatus(status, 'both')?.containerID).toBe('containerd://both');
  expect(probedStatus({ containerStatuses }, 'app')).toBeUndefined();
  expect(probedStatus({}, 'app')).toBeUndefined();
});

describe('a container that does not run comes back', () => {
  const all: Partial<Container> = {
    restartPolicy: 'Never',
    restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [88] } }],
  };
  const app: Container = { name: 'app' };
  const pod = (spec: Partial<Pod['spec']> = {}): Pod =>
    podWith([app, { name: 'source', ...all }], { restartPolicy: 'Never', ...spec });
  const init = { initContainers: [{ name: 'first' }, { name: 'init', ...all }] };
  const condition = (type: string, status: string) => ({ conditions: [{ type, status }] });
  const source = (exitCode?: number) => statusNamed('source', exitCode === undefined ? {} : { state: ended(exitCode) });

  it.each<[string, ContainerStatus['state'], Pod, PodStatus, boolean]>([
    ['it waits', waiting, pod(), {}, true],
    ['nobody knows', undefined, pod(), {}, true],
    ['it has ended', ended(0), pod(), {}, false],
    ['its policy', ended(0), pod({ restartPolicy: 'Always' }), {}, true],
    ['all restart', ended(0), pod(), condition('AllContainersRestarting', 'True'), true],
    ['no longer', ended(0), pod(), condition('AllContainersRestarting', 'False'), false],
    ['another condition', ended(0), pod(), condition('Ready', 'True'), false],
    ['by the exit of another', ended(0), pod(), { containerStatuses: [source(88)] }, true],
    ['by another exit code not', ended(0), pod(), { containerStatuses: [source(1)] }, false],
    ['by one that runs not', ended(0), pod(), { containerStatuses: [source()] }, false],
    [
      'by an init container',
      ended(0),
      pod(init),
      { initContainerStatuses: [statusNamed('init', { state: ended(88) })] },
      true,
    ],
  ])('%s', (_, state, given, status, expected) => {
    const own = { ...statusOf().containerStatuses![0]!, state: state! };
    expect(comesBack(given, app, status, own)).toBe(expected);
  });
});
