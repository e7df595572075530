import { describe, expect, it } from '@jest/globals';
import type { PodStatus } from '@podwright/kube-types';
import { sameShownStatus, sameStatus } from './same-status.js';
import { sameValue } from './same-value.js';
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
    [
      'only empty objects that are new, and nothing else that is empty',
      { phase: 'Pending', resources: { requests: { cpu: '1' } } } as PodStatus,
      { phase: 'Running', resources: {}, message: '', podIPs: [], observedGeneration: 0 } as PodStatus,
      { phase: 'Running', resources: { requests: null } },
    ],
    [
      'an object that is new',
      { phase: 'Running' },
      { phase: 'Running', resources: { requests: { cpu: '1' } } } as PodStatus,
      { resources: { requests: { cpu: '1' } } },
    ],
    [
      'of an object only what the server would store otherwise',
      { resources: { requests: { cpu: '500m' }, limits: { cpu: '1' } } } as PodStatus,
      { resources: { requests: { cpu: '0.5' }, limits: { cpu: '2' } } } as PodStatus,
      { resources: { limits: { cpu: '2' } } },
    ],
    [
      'of a condition only what the server would store otherwise',
      {
        conditions: [
          { type: 'example.com/a', status: 'True', message: 'x' },
          { type: 'Ready', status: 'True', lastProbeTime: null as never },
        ],
      },
      {
        conditions: [
          { type: 'example.com/a', status: 'True', message: 'x' },
          { type: 'Ready', status: 'False', reason: '' },
        ],
      },
      {
        '$setElementOrder/conditions': [{ type: 'example.com/a' }, { type: 'Ready' }],
        conditions: [{ type: 'Ready', status: 'False' }],
      },
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
    expect(statusPatch(shown, wanted)).toStrictEqual(expected);
  });
});

describe('values that the server stores alike', () => {
  const empty: readonly unknown[] = [undefined, null, '', 0, [], {}, { a: '' }, { a: { b: [] } }];
  const full: readonly unknown[] = [false, true, 'x', 1, ['x'], [''], { a: 'x' }, { a: '', b: 1 }, { a: false }];

  it('are all that Go leaves out, and the same values', () => {
    for (const left of empty) for (const right of empty) expect(sameValue(left, right)).toBe(true);
    for (const value of full) expect(sameValue(value, structuredClone(value))).toBe(true);
  });

  it('are no others', () => {
    for (const value of full) {
      for (const one of empty) expect([sameValue(value, one), sameValue(one, value)]).toEqual([false, false]);
      for (const other of full) if (other !== value) expect(sameValue(value, other)).toBe(false);
    }
  });

  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: '' }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: {} }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [['x', 'y'], ['x'], false],
    [['x'], ['x', 'y'], false],
    [['x', 'y'], ['x', 'z'], false],
    [['x', { a: '' }], ['x', {}], true],
    [['x'], { 0: 'x', length: 1 }, false],
    [{ 0: 'x', length: 1 }, ['x'], false],
  ])('%j and %j: %s', (left, right, same) => {
    expect(sameValue(left, right)).toBe(same);
  });

  it.each<[unknown, unknown, boolean]>([
    ['500m', '0.5', true],
    ['500m', '501m', false],
    ['1', 'none', false],
    ['none', '1', false],
    ['none', 'some', false],
    [1, '1', false],
    ['1', 1, false],
  ])('quantities %j and %j: %s', (left, right, same) => {
    for (const member of ['requests', 'limits', 'allocatedResources'])
      expect(sameValue({ cpu: left }, { cpu: right }, member)).toBe(same);
    expect(sameValue({ cpu: left }, { cpu: right }, 'annotations')).toBe(false);
    expect(sameValue({ cpu: left }, { cpu: right })).toBe(false);
  });

  it('make a status the same when only claims, times and conditions of others differ', () => {
    const status: PodStatus = {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', reason: 'r', message: 'm' }],
    };
    const [ready] = status.conditions ?? [];
    const claims = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];
    const rows: readonly (readonly [object, boolean])[] = [
      ...claims.map((member) => [{ [member]: ['x'] }, true] as const),
      [
        {
          conditions: [
            { ...ready, lastTransitionTime: 't' },
            { type: 'example.com/x', status: 'True' },
          ],
        },
        true,
      ],
      [{ conditions: [{ ...ready, status: 'False' }] }, false],
      [{ conditions: [{ ...ready, reason: 's' }] }, false],
      [{ conditions: [{ ...ready, message: 'n' }] }, false],
      [{ conditions: [ready, { type: 'Initialized', status: 'True' }] }, false],
      [{ conditions: [ready, { type: 'DisruptionTarget', status: 'True' }] }, false],
      [{ conditions: undefined }, false],
      [{ phase: 'Failed' }, false],
    ];
    for (const [change, same] of rows) {
      const other = { ...status, ...change } as PodStatus;
      expect([change, sameStatus(status, other), sameShownStatus(status, other)]).toEqual([change, same, same]);
    }
    const withMessage = { ...status, message: '' };
    expect([sameStatus(status, withMessage), sameShownStatus(status, withMessage)]).toEqual([false, true]);
  });
});
