import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { containersReadyCondition, initializedCondition, podReadyCondition } from './conditions.js';

const pod = (part: Partial<Pod['spec']> = {}): Pod => ({ metadata: {}, spec: { containers: [{ name: 'a' }, { name: 'b' }], ...part } });
const status = (name: string, part: Partial<ContainerStatus> = {}): ContainerStatus => ({ name, ready: false, restartCount: 0, image: '', imageID: '', ...part });

describe('containersReadyCondition', () => {
  it.each([
    ['all ready', 'Running', [status('a', { ready: true }), status('b', { ready: true })], { status: 'True' }],
    ['one unready', 'Running', [status('a', { ready: true }), status('b')], { status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [b]' }],
    ['one unknown, one unready', 'Pending', [status('a')], { status: 'False', reason: 'ContainersNotReady', message: 'containers with unknown status: [b], containers with unready status: [a]' }],
    ['succeeded', 'Succeeded', [], { status: 'False', reason: 'PodCompleted' }],
    ['failed', 'Failed', [], { status: 'False', reason: 'PodFailed' }],
    ['no statuses at all', 'Pending', undefined, { status: 'False', reason: 'UnknownContainerStatuses' }],
  ])('%s', (_name, phase, statuses, expected) => {
    expect(containersReadyCondition(pod(), phase, statuses)).toEqual({ type: 'ContainersReady', ...expected });
  });
});

describe('podReadyCondition', () => {
  const ready = { type: 'ContainersReady', status: 'True' };

  it('copies what ContainersReady says when that is not True', () => {
    expect(podReadyCondition(pod(), { type: 'ContainersReady', status: 'False', reason: 'r', message: 'm' }, [])).toEqual({ type: 'Ready', status: 'False', reason: 'r', message: 'm' });
  });

  it('waits for each readiness gate', () => {
    const gated = pod({ readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] });
    expect(podReadyCondition(gated, ready, [{ type: 'y', status: 'False' }])).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: 'corresponding condition of pod readiness gate "x" does not exist., the status of pod readiness gate "y" is not "True", but False',
    });
    expect(podReadyCondition(gated, ready, [{ type: 'x', status: 'True' }, { type: 'y', status: 'True' }])).toEqual({ type: 'Ready', status: 'True' });
  });
});

describe('initializedCondition', () => {
  const init = pod({ initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] });

  it.each([
    ['no init containers', pod(), { containerStatuses: [] }, { status: 'True' }],
    ['nothing done', init, { initContainerStatuses: [status('i'), status('s')] }, { status: 'False', reason: 'ContainersNotInitialized', message: 'containers with incomplete status: [i s]' }],
    ['one missing', init, { initContainerStatuses: [status('i', { ready: true })] }, { status: 'False', reason: 'ContainersNotInitialized', message: 'containers with unknown status: [s]' }],
    ['all done', init, { initContainerStatuses: [status('i', { ready: true }), status('s', { started: true })] }, { status: 'True' }],
    ['a regular container runs', init, { initContainerStatuses: [], containerStatuses: [status('a', { state: { running: {} } })] }, { status: 'True' }],
    ['succeeded', init, { phase: 'Succeeded', initContainerStatuses: [status('i'), status('s')] }, { status: 'True', reason: 'PodCompleted' }],
  ])('%s', (_name, of, statuses, expected) => {
    expect(initializedCondition(of, statuses, false)).toEqual({ type: 'Initialized', ...expected });
  });
});
