import { describe, expect, it } from '@jest/globals';
import type { PodStatus } from '@podwright/kube-types';
import { statusPatch } from './status-patch.js';

const container = (part: object): NonNullable<PodStatus['containerStatuses']>[number] => ({
  name: 'a',
  ready: false,
  restartCount: 0,
  image: 'i',
  imageID: '',
  ...part,
});

describe('statusPatch', () => {
  it.each<[string, PodStatus, PodStatus, object | undefined]>([
    ['nothing', { phase: 'Running' }, { phase: 'Running' }, undefined],
    ['a changed member', { phase: 'Pending', podIP: '1' }, { phase: 'Running', podIP: '1' }, { phase: 'Running' }],
    ['an empty object alone', { phase: 'Running' }, { phase: 'Running', resources: {} }, undefined],
    [
      'an empty object beside a change, as Go writes it',
      { phase: 'Pending' },
      { phase: 'Running', resources: {} },
      { phase: 'Running', resources: {} },
    ],
    ['a member that is gone', { phase: 'Failed', reason: 'x' }, { phase: 'Failed' }, { reason: null }],
    [
      'a member that the server leaves out when it is empty',
      { phase: 'Running', containerStatuses: [container({ state: { running: {} }, lastState: {} })] },
      {
        phase: 'Running',
        message: '',
        initContainerStatuses: [],
        observedGeneration: 0,
        containerStatuses: [container({ state: { running: {} } })],
      },
      undefined,
    ],
    [
      'quantities by value',
      { containerStatuses: [container({ resources: { requests: { cpu: '500m' } } })] },
      { containerStatuses: [container({ resources: { requests: { cpu: '0.5' } } })] },
      undefined,
    ],
    [
      'container statuses as a whole',
      { containerStatuses: [container({}), container({ name: 'b' })] },
      { containerStatuses: [container({ ready: true }), container({ name: 'b' })] },
      { containerStatuses: [container({ ready: true }), container({ name: 'b' })] },
    ],
    [
      'started: false is not absent',
      { containerStatuses: [container({})] },
      { containerStatuses: [container({ started: false })] },
      { containerStatuses: [container({ started: false })] },
    ],
    [
      'conditions by type',
      {
        conditions: [
          { type: 'example.com/a', status: 'True' },
          { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'm' },
          { type: 'PodResizePending', status: 'True' },
        ],
      },
      {
        conditions: [
          { type: 'example.com/a', status: 'True' },
          { type: 'Ready', status: 'True' },
          { type: 'Initialized', status: 'True' },
        ],
      },
      {
        '$setElementOrder/conditions': [{ type: 'example.com/a' }, { type: 'Ready' }, { type: 'Initialized' }],
        conditions: [
          { type: 'Ready', status: 'True', reason: null, message: null },
          { type: 'Initialized', status: 'True' },
          { $patch: 'delete', type: 'PodResizePending' },
        ],
      },
    ],
    [
      'addresses by IP',
      { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
      { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }] },
      {
        podIP: '10.0.0.2',
        '$setElementOrder/podIPs': [{ ip: '10.0.0.2' }],
        podIPs: [{ ip: '10.0.0.2' }, { $patch: 'delete', ip: '10.0.0.1' }],
      },
    ],
    [
      'maps member by member',
      { allocatedResources: { cpu: '1', memory: '1Gi' } } as PodStatus,
      { allocatedResources: { cpu: '2' } } as PodStatus,
      { allocatedResources: { cpu: '2', memory: null } },
    ],
    [
      'lastProbeTime null as absent',
      { conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null as never }] },
      { conditions: [{ type: 'Ready', status: 'True' }] },
      undefined,
    ],
  ])('%s', (_name, shown, wanted, expected) => {
    expect(statusPatch(shown, wanted)).toEqual(expected);
  });
});
