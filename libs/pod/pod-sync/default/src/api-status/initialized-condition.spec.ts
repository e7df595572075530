import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '@podwright/kube-types';
import { initializedCondition } from './initialized-condition.js';

const pod = (part: Partial<Pod['spec']> = {}): Pod => ({
  metadata: {},
  spec: { containers: [{ name: 'a' }, { name: 'b' }], ...part },
});
const status = (name: string, part: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  ...part,
});

describe('initializedCondition', () => {
  const init = pod({ initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] });

  it.each([
    ['no init containers', pod(), { containerStatuses: [] }, { status: 'True' }],
    [
      'nothing done',
      init,
      { initContainerStatuses: [status('i'), status('s')] },
      { status: 'False', reason: 'ContainersNotInitialized', message: 'containers with incomplete status: [i s]' },
    ],
    [
      'one missing',
      init,
      { initContainerStatuses: [status('i', { ready: true })] },
      { status: 'False', reason: 'ContainersNotInitialized', message: 'containers with unknown status: [s]' },
    ],
    [
      'all done',
      init,
      { initContainerStatuses: [status('i', { ready: true }), status('s', { started: true })] },
      { status: 'True' },
    ],
    [
      'a regular container runs',
      init,
      { initContainerStatuses: [], containerStatuses: [status('a', { state: { running: {} } })] },
      { status: 'True' },
    ],
    [
      'succeeded',
      init,
      { phase: 'Succeeded', initContainerStatuses: [status('i'), status('s')] },
      { status: 'True', reason: 'PodCompleted' },
    ],
  ])('%s', (_name, of, statuses, expected) => {
    expect(initializedCondition(of, statuses, false)).toEqual({ type: 'Initialized', ...expected });
  });
});

describe('initializedCondition, other sources', () => {
  const init = pod({ initContainers: [{ name: 'i' }] });

  it('says that nothing is known', () => {
    expect(initializedCondition(init, {}, false)).toEqual({
      type: 'Initialized',
      status: 'False',
      reason: 'UnknownContainerStatuses',
    });
  });

  it('stays True once it was', () => {
    expect(initializedCondition(init, { initContainerStatuses: [status('i')] }, true)).toEqual({
      type: 'Initialized',
      status: 'True',
    });
  });
});
