import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, PodStatus } from '@podwright/kube-types';
import { containerInstance } from './container-instance.js';

const running = { running: {} };
const ended = (containerID?: string): object => ({ terminated: { exitCode: 1, ...(containerID && { containerID }) } });
const waiting = (reason?: string): object => ({ waiting: { ...(reason && { reason }) } });
const status = (extra: object): PodStatus => ({
  containerStatuses: [{ name: 'c', restartCount: 3, containerID: 'x://now', ...extra } as ContainerStatus],
});
const subject = 'container "c" in pod "p"';

describe('which instance of a container is read', () => {
  it.each<[string, object, string, readonly number[]]>([
    ['a running one', { state: running }, 'now', [3]],
    ['a running one before an older end', { state: running, lastState: ended('x://old') }, 'now', [3]],
    ['an ended one', { state: ended('x://ended') }, 'ended', [3]],
    ['an ended one before an older end', { state: ended('x://ended'), lastState: ended('x://old') }, 'ended', [3]],
    [
      'the one before one that ended without a container',
      { state: ended(), lastState: ended('x://old') },
      'old',
      [3, 2],
    ],
    [
      'the one before one that waits',
      { state: waiting('CrashLoopBackOff'), lastState: ended('x://old') },
      'old',
      [3, 2],
    ],
    ['the last one that ended when nothing else is known', { lastState: ended('x://old') }, 'old', [3, 2]],
  ])('is %s', (_name, extra, criId, logNumbers) => {
    expect(containerInstance('p', status(extra), 'c', false)).toEqual({
      containerId: `x://${criId}`,
      criId,
      logNumbers,
    });
  });

  it.each<[object, readonly number[]]>([
    [{ state: running, lastState: ended('x://old') }, [2]],
    [{ state: ended('x://ended'), lastState: ended('x://old') }, [2]],
    [{ state: waiting('CrashLoopBackOff'), lastState: ended('x://old') }, [3, 2]],
    [{ state: waiting(), restartCount: 0, lastState: ended('x://old') }, [0]],
  ])('is for `previous` the last one that ended: %j', (extra, logNumbers) => {
    expect(containerInstance('p', status(extra), 'c', true)).toMatchObject({ criId: 'old', logNumbers });
  });

  it.each<[string, object, boolean, string]>([
    [`previous terminated ${subject} not found`, { state: running }, true, 'not-found'],
    [`previous terminated ${subject} not found`, { state: running, lastState: ended() }, true, 'not-found'],
    [`${subject} is terminated`, { state: ended() }, false, 'failed-precondition'],
    [`${subject} is terminated`, { state: ended(), lastState: ended() }, false, 'failed-precondition'],
    [`${subject} is terminated`, { state: waiting('x'), lastState: ended() }, false, 'failed-precondition'],
    [
      `${subject} is waiting to start: image can't be pulled`,
      { state: waiting('ErrImagePull') },
      false,
      'failed-precondition',
    ],
    [
      `${subject} is waiting to start: trying and failing to pull image`,
      { state: waiting('ImagePullBackOff') },
      false,
      'failed-precondition',
    ],
    [
      `${subject} is waiting to start: ContainerCreating`,
      { state: waiting('ContainerCreating') },
      false,
      'failed-precondition',
    ],
    [`${subject} is waiting to start - no logs yet`, { state: {} }, false, 'failed-precondition'],
    [`${subject} is waiting to start - no logs yet`, {}, false, 'failed-precondition'],
  ])('is none: %s', (message, extra, previous, code) => {
    const choose = (): unknown => containerInstance('p', status(extra), 'c', previous);
    expect(choose).toThrow(expect.objectContaining({ message, code }));
  });

  it('is looked for among containers, init containers and ephemeral containers', () => {
    const one = (containerID: string): ContainerStatus[] => [
      { name: containerID, containerID, restartCount: 0, state: running } as ContainerStatus,
    ];
    const all = { containerStatuses: one('a'), initContainerStatuses: one('b'), ephemeralContainerStatuses: one('c') };
    for (const name of ['a', 'b', 'c']) expect(containerInstance('p', all, name, false).criId).toBe(name);
    expect(() => containerInstance('p', all, 'd', false)).toThrow('container "d" in pod "p" is not available');
  });
});
