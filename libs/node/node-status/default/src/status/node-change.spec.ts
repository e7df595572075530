import { describe, expect, it } from '@jest/globals';
import type { Node, NodeCondition, NodeStatus } from '@podwright/kube-types';
import { nodeStatusPatch, statusChanged } from './node-change.js';

const condition = (type: string, fields: Partial<NodeCondition> = {}): NodeCondition => ({
  type,
  status: 'False',
  lastHeartbeatTime: '2026-01-01T00:00:00Z',
  ...fields,
});
const status = (fields: Partial<NodeStatus> = {}): NodeStatus => ({
  capacity: { memory: '8Gi' },
  conditions: [condition('DiskPressure'), condition('Ready')],
  ...fields,
});

describe('a change of the status', () => {
  it.each<[string, Partial<NodeStatus>, boolean]>([
    ['nothing', {}, false],
    [
      'times of heartbeats',
      { conditions: [condition('DiskPressure', { lastHeartbeatTime: '2026-01-01T00:00:10Z' }), condition('Ready')] },
      false,
    ],
    ['the order of the conditions', { conditions: [condition('Ready'), condition('DiskPressure')] }, false],
    ['another text of the same amount', { capacity: { memory: '8192Mi' } }, false],
    ['an empty list in place of none', { images: [] }, false],
    [
      'the status of a condition',
      { conditions: [condition('DiskPressure', { status: 'True' }), condition('Ready')] },
      true,
    ],
    [
      'a time of transition',
      { conditions: [condition('DiskPressure', { lastTransitionTime: '2026-01-01T00:00:10Z' }), condition('Ready')] },
      true,
    ],
    [
      'a condition more',
      { conditions: [condition('DiskPressure'), condition('Ready'), condition('PIDPressure')] },
      true,
    ],
    ['an amount', { capacity: { memory: '9Gi' } }, true],
    ['an image', { images: [{ names: ['a'], sizeBytes: 1 }] }, true],
  ])('%s: %s', (_name, fields, expected) => {
    expect(statusChanged(status(), status(fields))).toBe(expected);
  });
});

describe('the patch of the status', () => {
  const node = (fields: Partial<NodeStatus>, others: Partial<Node> = {}): Node => ({
    status: status(fields),
    ...others,
  });

  it.each<[string, Node, Node, object]>([
    ['is empty for equal nodes', node({}), node({}), {}],
    [
      'names a condition by its type',
      node({}),
      node({ conditions: [condition('DiskPressure'), condition('Ready', { status: 'True' })] }),
      {
        status: {
          conditions: [{ type: 'Ready', status: 'True' }],
          '$setElementOrder/conditions': [{ type: 'DiskPressure' }, { type: 'Ready' }],
        },
      },
    ],
    [
      'replaces addresses as a whole',
      node({ addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] }),
      node({ addresses: [{ type: 'InternalIP', address: '192.0.2.2' }] }),
      { status: { addresses: [{ type: 'InternalIP', address: '192.0.2.2' }, { $patch: 'replace' }] } },
    ],
    [
      'adds the first addresses as they are',
      node({}),
      node({ addresses: [{ type: 'Hostname', address: 'n1' }] }),
      { status: { addresses: [{ type: 'Hostname', address: 'n1' }] } },
    ],
    [
      'removes a resource, a list that is empty now, and an annotation',
      node(
        { capacity: { cpu: '1', 'hugepages-1Gi': '1Gi' }, volumesInUse: ['x'] },
        { metadata: { annotations: { a: 'b' } } },
      ),
      node({ capacity: { cpu: '1' }, volumesInUse: [] }, { metadata: { annotations: {} } }),
      { metadata: { annotations: null }, status: { capacity: { 'hugepages-1Gi': null }, volumesInUse: null } },
    ],
    ['never touches the spec', node({}, { spec: { unschedulable: true } }), node({}, { spec: { taints: [] } }), {}],
  ])('%s', (_name, before, after, expected) => {
    expect(nodeStatusPatch(before, after)).toEqual(expected);
  });
});
