import { describe, expect, it } from '@jest/globals';
import type { ContainerState, ContainerStatus, Pod, PodStatus } from '@podwright/kube-types';
import { terminateStatus } from './terminate-status.js';

const waiting: ContainerState = { waiting: { reason: 'PodInitializing' } };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });
const status = (name: string, state: ContainerState, part: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  state,
  ready: false,
  restartCount: 2,
  image: '',
  imageID: '',
  ...part,
});
const withInit = (known: PodStatus, restartPolicy?: string): Pod => ({
  metadata: {},
  spec: {
    containers: [{ name: 'a' }],
    initContainers: [{ name: 'i' }, { name: 'j', ...(restartPolicy !== undefined && { restartPolicy }) }],
  },
  status: known,
});
const isLost = ({ state }: ContainerStatus): boolean => state?.terminated?.reason === 'ContainerStatusUnknown';

describe('terminateStatus', () => {
  it('keeps what has ended, with its last state and count', () => {
    const pod: Pod = { metadata: {}, spec: { containers: [{ name: 'a' }] } };
    const before = status('a', ended(3), { lastState: ended(2) });
    expect(terminateStatus(pod, { phase: 'Succeeded', containerStatuses: [before] })).toEqual({
      phase: 'Succeeded',
      containerStatuses: [before],
    });
    const running = status('a', { running: {} }, { lastState: ended(2) });
    expect(terminateStatus(pod, { phase: 'Running', containerStatuses: [running] })).toEqual({
      phase: 'Failed',
      containerStatuses: [
        {
          ...running,
          state: {
            terminated: {
              exitCode: 137,
              reason: 'ContainerStatusUnknown',
              message: 'The container could not be located when the pod was terminated',
            },
          },
        },
      ],
    });
  });

  it('keeps a terminal phase, and adds no lists', () => {
    const pod: Pod = { metadata: {}, spec: { containers: [{ name: 'a' }] } };
    for (const phase of ['Succeeded', 'Failed']) expect(terminateStatus(pod, { phase })).toStrictEqual({ phase });
    expect(terminateStatus(pod, { phase: 'Pending' })).toStrictEqual({ phase: 'Failed' });
  });

  it.each([
    ['all waiting: the first alone', [status('i', waiting), status('j', waiting)], [true, false]],
    ['the second has been tried', [status('i', waiting), status('j', waiting, { lastState: ended(1) })], [true, true]],
    ['the first has ended, the second waits', [status('i', ended(0)), status('j', waiting)], [false, false]],
    [
      'the second is in no state',
      [status('i', waiting), { ...status('j', waiting), state: undefined as never }],
      [true, true],
    ],
    ['the second runs', [status('i', waiting), status('j', { running: {} })], [true, true]],
  ])('ends init containers up to the last that had its turn: %s', (_name, list, lost) => {
    expect(terminateStatus(withInit({}), { initContainerStatuses: list }).initContainerStatuses?.map(isLost)).toEqual(
      lost,
    );
  });

  it.each([
    ['the API knows nothing', {}, undefined, false],
    ['a regular container had its turn', { containerStatuses: [status('a', { running: {} })] }, undefined, true],
    [
      'a regular container has ended before',
      { containerStatuses: [status('a', waiting, { lastState: ended(1) })] },
      undefined,
      true,
    ],
    [
      'one of two regular containers had its turn',
      { containerStatuses: [status('b', waiting), status('a', ended(1))] },
      undefined,
      true,
    ],
    ['regular containers wait', { containerStatuses: [status('a', waiting)] }, undefined, false],
    [
      'the last init container succeeded before, and is waiting again',
      { initContainerStatuses: [status('j', waiting, { lastState: ended(0) })] },
      undefined,
      true,
    ],
    [
      'the last init container failed before, and is waiting again',
      { initContainerStatuses: [status('j', waiting, { lastState: ended(1) })] },
      undefined,
      false,
    ],
    [
      'the last init container succeeded, though the spec does not know it',
      { initContainerStatuses: [status('unknown', ended(0))] },
      'Always',
      true,
    ],
    [
      'the last is a sidecar that has ended',
      { initContainerStatuses: [status('i', ended(0)), status('j', ended(0), { started: true })] },
      'Always',
      false,
    ],
    [
      'the last init container succeeded',
      { initContainerStatuses: [status('i', ended(0)), status('j', ended(0))] },
      undefined,
      true,
    ],
    [
      'the last init container failed',
      { initContainerStatuses: [status('i', ended(0)), status('j', ended(1))] },
      undefined,
      false,
    ],
    [
      'the last is a started sidecar',
      { initContainerStatuses: [status('j', { running: {} }, { started: true })] },
      'Always',
      true,
    ],
    [
      'the last is a sidecar that has not started',
      { initContainerStatuses: [status('j', { running: {} })] },
      'Always',
      false,
    ],
  ])('ends waiting regular containers only when the pod had initialised: %s', (_name, known, restartPolicy, lost) => {
    const after = terminateStatus(withInit(known, restartPolicy), { containerStatuses: [status('a', waiting)] });
    expect(after.containerStatuses?.map(isLost)).toEqual([lost]);
  });
});
