import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '../objects.js';
import { containersReadyCondition, podReadyCondition, readinessIsStale, withReadiness } from './pod-readiness.js';

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

describe('containersReadyCondition', () => {
  it.each([
    ['all ready', 'Running', [status('a', { ready: true }), status('b', { ready: true })], { status: 'True' }],
    [
      'one unready',
      'Running',
      [status('a', { ready: true }), status('b')],
      { status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [b]' },
    ],
    [
      'one unknown, one unready',
      'Pending',
      [status('a')],
      {
        status: 'False',
        reason: 'ContainersNotReady',
        message: 'containers with unknown status: [b], containers with unready status: [a]',
      },
    ],
    ['succeeded', 'Succeeded', [status('a'), status('b')], { status: 'False', reason: 'PodCompleted' }],
    [
      'succeeded, one unknown',
      'Succeeded',
      [status('a', { ready: true })],
      { status: 'False', reason: 'ContainersNotReady', message: 'containers with unknown status: [b]' },
    ],
    ['failed', 'Failed', [], { status: 'False', reason: 'PodFailed' }],
    ['no statuses at all', 'Pending', undefined, { status: 'False', reason: 'UnknownContainerStatuses' }],
  ])('%s', (_name, phase, statuses, expected) => {
    expect(containersReadyCondition(pod(), phase, statuses)).toEqual({ type: 'ContainersReady', ...expected });
  });
});

describe('podReadyCondition', () => {
  const ready = { type: 'ContainersReady', status: 'True' };

  it('copies what ContainersReady says when that is not True', () => {
    expect(
      podReadyCondition(pod(), { type: 'ContainersReady', status: 'False', reason: 'r', message: 'm' }, []),
    ).toEqual({ type: 'Ready', status: 'False', reason: 'r', message: 'm' });
  });

  it('waits for each readiness gate', () => {
    const gated = pod({ readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] });
    expect(podReadyCondition(gated, ready, [{ type: 'y', status: 'False' }])).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message:
        'corresponding condition of pod readiness gate "x" does not exist., the status of pod readiness gate "y" is not "True", but False',
    });
    expect(
      podReadyCondition(gated, ready, [
        { type: 'x', status: 'True' },
        { type: 'y', status: 'True' },
      ]),
    ).toEqual({ type: 'Ready', status: 'True' });
  });
});

describe('containersReadyCondition with init containers', () => {
  it('names sidecars before regular containers and leaves plain init containers out', () => {
    const of = pod({ initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] });
    expect(containersReadyCondition(of, 'Running', [status('a'), status('b'), status('i'), status('s')]).message).toBe(
      'containers with unready status: [s a b]',
    );
  });
});

describe('withReadiness', () => {
  const containerStatuses = [status('a', { ready: true }), status('b', { ready: true })];

  it('replaces both conditions in place, and keeps the time of one whose value stays', () => {
    const conditions = [
      { type: 'x', status: 'True' },
      { type: 'ContainersReady', status: 'True', lastTransitionTime: 't' },
      { type: 'Ready', status: 'False', reason: 'r', lastTransitionTime: 't' },
    ];
    const of = { ...pod(), metadata: { generation: 3 } };
    expect(withReadiness(of, { phase: 'Running', containerStatuses, conditions }).conditions).toEqual([
      { type: 'x', status: 'True' },
      { type: 'ContainersReady', status: 'True', lastTransitionTime: 't', observedGeneration: 3 },
      { type: 'Ready', status: 'True', observedGeneration: 3 },
    ]);
  });

  it('adds the ones that are missing', () => {
    expect(withReadiness(pod(), { containerStatuses }).conditions).toEqual([
      { type: 'Ready', status: 'True' },
      { type: 'ContainersReady', status: 'True' },
    ]);
  });
});

describe('readinessIsStale', () => {
  const gated = pod({ readinessGates: [{ conditionType: 'x' }] });
  const containerStatuses = [status('a', { ready: true }), status('b', { ready: true })];
  const shown = (gate: string, ready: string, message?: string): Pod => ({
    ...gated,
    status: {
      containerStatuses,
      conditions: [
        { type: 'x', status: gate },
        { type: 'Ready', status: ready, ...(message !== undefined && { message }) },
      ],
    },
  });

  it.each([
    ['no gates', { ...shown('True', 'False'), spec: pod().spec }, false],
    ['a gate has become True', shown('True', 'False', 'old'), true],
    ['a gate has become False', shown('False', 'True'), true],
    ['nothing new', shown('False', 'False', 'the status of pod readiness gate "x" is not "True", but False'), false],
    ['no Ready condition yet', { ...gated, status: { containerStatuses } }, false],
  ])('%s', (_name, of, expected) => {
    expect(readinessIsStale(of)).toBe(expected);
  });
});

describe('podReadyCondition of an unready pod', () => {
  it('does not look at the gates', () => {
    const gated = pod({ readinessGates: [{ conditionType: 'x' }] });
    expect(podReadyCondition(gated, { type: 'ContainersReady', status: 'False', reason: 'PodFailed' }, [])).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'PodFailed',
    });
  });
});
