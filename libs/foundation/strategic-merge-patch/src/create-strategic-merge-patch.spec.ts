import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { createStrategicMergePatch } from './create-strategic-merge-patch.js';
import { patchSchemaOf } from './patch-schemas.js';

// Each patch is what strategicpatch.CreateTwoWayMergePatch of kubernetes v1.36 gave for the two objects.
const rows: readonly (readonly [name: string, kind: string, original: object, modified: object, patch: object])[] = [
  [
    'nothing changed',
    'Pod',
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    {},
  ],
  [
    'a field is added, changed and removed',
    'Pod',
    { status: { phase: 'Pending', message: 'm' } },
    { status: { phase: 'Running', reason: 'r' } },
    { status: { message: null, phase: 'Running', reason: 'r' } },
  ],
  [
    'the uid of a status patch',
    'Pod',
    { status: { phase: 'Pending' } },
    { metadata: { uid: 'u1' }, status: { phase: 'Running' } },
    { metadata: { uid: 'u1' }, status: { phase: 'Running' } },
  ],
  [
    'a condition changes',
    'Pod',
    {
      status: {
        conditions: [
          { type: 'Initialized', status: 'True' },
          { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'x' },
        ],
      },
    },
    {
      status: {
        conditions: [
          { type: 'Initialized', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
      },
    },
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'Initialized' }, { type: 'Ready' }],
        conditions: [{ message: null, reason: null, status: 'True', type: 'Ready' }],
      },
    },
  ],
  [
    'conditions are added to none',
    'Pod',
    { status: {} },
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    { status: { conditions: [{ status: 'True', type: 'Ready' }] } },
  ],
  [
    'conditions are added to an empty list',
    'Pod',
    { status: { conditions: [] } },
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'A', status: 'True' },
        ],
      },
    },
    {
      status: {
        conditions: [
          { status: 'True', type: 'Ready' },
          { status: 'True', type: 'A' },
        ],
      },
    },
  ],
  [
    'a condition is added',
    'Pod',
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    {
      status: {
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
      },
    },
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'PodScheduled' }, { type: 'Ready' }],
        conditions: [{ status: 'True', type: 'PodScheduled' }],
      },
    },
  ],
  [
    'a condition goes',
    'Pod',
    {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Z', status: 'True' },
          { type: 'B', status: 'True' },
        ],
      },
    },
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'Ready' }],
        conditions: [
          { $patch: 'delete', type: 'B' },
          { $patch: 'delete', type: 'Z' },
        ],
      },
    },
  ],
  [
    'all conditions go',
    'Pod',
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    { status: { conditions: [] } },
    { status: { conditions: [{ $patch: 'delete', type: 'Ready' }] } },
  ],
  [
    'the list of conditions goes',
    'Pod',
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    { status: {} },
    { status: { conditions: null } },
  ],
  [
    'conditions change places',
    'Pod',
    {
      status: {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'B', status: 'True' },
        ],
      },
    },
    {
      status: {
        conditions: [
          { type: 'B', status: 'True' },
          { type: 'A', status: 'True' },
        ],
      },
    },
    { status: { '$setElementOrder/conditions': [{ type: 'B' }, { type: 'A' }] } },
  ],
  [
    'conditions change, come, go and move',
    'Pod',
    {
      status: {
        conditions: [
          { type: 'D', status: 'True' },
          { type: 'C', status: 'True' },
          { type: 'A', status: 'True' },
          { type: 'B', status: 'True' },
        ],
      },
    },
    {
      status: {
        conditions: [
          { type: 'E', status: 'True' },
          { type: 'B', status: 'True' },
          { type: 'A', status: 'False' },
          { type: '0', status: 'True' },
        ],
      },
    },
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'E' }, { type: 'B' }, { type: 'A' }, { type: '0' }],
        conditions: [
          { status: 'True', type: 'E' },
          { status: 'False', type: 'A' },
          { status: 'True', type: '0' },
          { $patch: 'delete', type: 'C' },
          { $patch: 'delete', type: 'D' },
        ],
      },
    },
  ],
  [
    'pod IPs',
    'Pod',
    { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] } },
    { status: { podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }] } },
    {
      status: {
        '$setElementOrder/podIPs': [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }],
        podIP: '10.0.0.2',
        podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::2' }, { $patch: 'delete', ip: '10.0.0.1' }],
      },
    },
  ],
  [
    'host IPs',
    'Pod',
    { status: { hostIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] } },
    { status: { hostIPs: [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }] } },
    { status: { '$setElementOrder/hostIPs': [{ ip: 'fd00::1' }, { ip: '10.0.0.1' }] } },
  ],
  [
    'container statuses are replaced',
    'Pod',
    {
      status: {
        containerStatuses: [
          { name: 'a', ready: false, restartCount: 0 },
          { name: 'b', ready: true, restartCount: 0 },
        ],
      },
    },
    {
      status: {
        containerStatuses: [
          { name: 'a', ready: true, restartCount: 0 },
          { name: 'b', ready: true, restartCount: 0 },
        ],
      },
    },
    {
      status: {
        containerStatuses: [
          { name: 'a', ready: true, restartCount: 0 },
          { name: 'b', ready: true, restartCount: 0 },
        ],
      },
    },
  ],
  [
    'claim statuses keep keys',
    'Pod',
    { status: { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'x' }, { name: 'b' }] } },
    { status: { resourceClaimStatuses: [{ name: 'a' }, { name: 'b', resourceClaimName: 'y' }] } },
    {
      status: {
        '$setElementOrder/resourceClaimStatuses': [{ name: 'a' }, { name: 'b' }],
        resourceClaimStatuses: [
          { $retainKeys: ['name'], name: 'a', resourceClaimName: null },
          { $retainKeys: ['name', 'resourceClaimName'], name: 'b', resourceClaimName: 'y' },
        ],
      },
    },
  ],
  [
    'volumes keep keys',
    'Pod',
    {
      spec: {
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', hostPath: { path: '/a', type: '' } },
        ],
      },
    },
    {
      spec: {
        volumes: [
          { name: 'v', configMap: { name: 'c' } },
          { name: 'w', hostPath: { path: '/b', type: '' } },
        ],
      },
    },
    {
      spec: {
        '$setElementOrder/volumes': [{ name: 'v' }, { name: 'w' }],
        volumes: [
          { $retainKeys: ['configMap', 'name'], configMap: { name: 'c' }, emptyDir: null, name: 'v' },
          { $retainKeys: ['hostPath', 'name'], hostPath: { path: '/b' }, name: 'w' },
        ],
      },
    },
  ],
  [
    'containers',
    'Pod',
    {
      spec: {
        containers: [
          {
            name: 'a',
            image: 'i:1',
            env: [
              { name: 'X', value: '1' },
              { name: 'Y', value: '2' },
            ],
            args: ['a'],
            ports: [{ containerPort: 80, protocol: 'TCP' }],
          },
          { name: 'b', image: 'i' },
        ],
      },
    },
    {
      spec: {
        containers: [
          {
            name: 'a',
            image: 'i:2',
            env: [{ name: 'Y', value: '3' }],
            args: ['a', 'b'],
            ports: [{ containerPort: 80, protocol: 'TCP' }, { containerPort: 443 }],
          },
          { name: 'b', image: 'i' },
        ],
      },
    },
    {
      spec: {
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
        containers: [
          {
            '$setElementOrder/env': [{ name: 'Y' }],
            '$setElementOrder/ports': [{ containerPort: 80 }, { containerPort: 443 }],
            args: ['a', 'b'],
            env: [
              { name: 'Y', value: '3' },
              { $patch: 'delete', name: 'X' },
            ],
            image: 'i:2',
            name: 'a',
            ports: [{ containerPort: 443 }],
          },
        ],
      },
    },
  ],
  [
    'init containers',
    'Pod',
    { spec: { initContainers: [{ name: 'a', volumeMounts: [{ mountPath: '/a', name: 'v' }] }] } },
    { spec: { initContainers: [{ name: 'a', volumeMounts: [{ mountPath: '/b', name: 'v' }] }] } },
    {
      spec: {
        '$setElementOrder/initContainers': [{ name: 'a' }],
        initContainers: [
          {
            '$setElementOrder/volumeMounts': [{ mountPath: '/b' }],
            name: 'a',
            volumeMounts: [
              { mountPath: '/b', name: 'v' },
              { $patch: 'delete', mountPath: '/a' },
            ],
          },
        ],
      },
    },
  ],
  [
    'tolerations are replaced',
    'Pod',
    { spec: { tolerations: [{ key: 'a' }] } },
    { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } },
    { spec: { tolerations: [{ key: 'a' }, { key: 'b' }] } },
  ],
  [
    'labels',
    'Node',
    { metadata: { labels: { a: '1', b: '2' }, annotations: { x: 'y' } } },
    { metadata: { labels: { a: '2', c: '3' } } },
    { metadata: { annotations: null, labels: { a: '2', b: null, c: '3' } } },
  ],
  [
    'finalizers',
    'Pod',
    { metadata: { finalizers: ['b', 'a', 'c'] } },
    { metadata: { finalizers: ['c', 'd', 'a'] } },
    {
      metadata: {
        '$deleteFromPrimitiveList/finalizers': ['b'],
        '$setElementOrder/finalizers': ['c', 'd', 'a'],
        finalizers: ['d'],
      },
    },
  ],
  [
    'finalizers change places',
    'Pod',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { finalizers: ['b', 'a'] } },
    { metadata: { '$setElementOrder/finalizers': ['b', 'a'] } },
  ],
  [
    'owner references',
    'Pod',
    { metadata: { ownerReferences: [{ uid: '1', name: 'n' }] } },
    { metadata: { ownerReferences: [{ uid: '2', name: 'n' }] } },
    {
      metadata: {
        '$setElementOrder/ownerReferences': [{ uid: '2' }],
        ownerReferences: [
          { name: 'n', uid: '2' },
          { $patch: 'delete', uid: '1' },
        ],
      },
    },
  ],
  [
    'pod CIDRs',
    'Node',
    { spec: { podCIDRs: ['10.0.0.0/24'] } },
    { spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'] } },
    {
      spec: {
        '$setElementOrder/podCIDRs': ['10.0.0.0/24', 'fd00::/64'],
        podCIDR: '10.0.0.0/24',
        podCIDRs: ['fd00::/64'],
      },
    },
  ],
  [
    'node conditions',
    'Node',
    {
      status: {
        conditions: [
          { type: 'MemoryPressure', status: 'False', lastHeartbeatTime: 't1' },
          { type: 'Ready', status: 'True', lastHeartbeatTime: 't1', lastTransitionTime: 't0' },
        ],
      },
    },
    {
      status: {
        conditions: [
          { type: 'MemoryPressure', status: 'False', lastHeartbeatTime: 't2' },
          {
            type: 'Ready',
            status: 'False',
            lastHeartbeatTime: 't2',
            lastTransitionTime: 't2',
            reason: 'KubeletNotReady',
          },
        ],
      },
    },
    {
      status: {
        '$setElementOrder/conditions': [{ type: 'MemoryPressure' }, { type: 'Ready' }],
        conditions: [
          { lastHeartbeatTime: 't2', type: 'MemoryPressure' },
          {
            lastHeartbeatTime: 't2',
            lastTransitionTime: 't2',
            reason: 'KubeletNotReady',
            status: 'False',
            type: 'Ready',
          },
        ],
      },
    },
  ],
  [
    'node addresses',
    'Node',
    {
      status: {
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'Hostname', address: 'n' },
        ],
      },
    },
    {
      status: {
        addresses: [
          { type: 'InternalIP', address: '10.0.0.2' },
          { type: 'Hostname', address: 'n' },
        ],
      },
    },
    {
      status: {
        '$setElementOrder/addresses': [{ type: 'InternalIP' }, { type: 'Hostname' }],
        addresses: [{ address: '10.0.0.2', type: 'InternalIP' }],
      },
    },
  ],
  [
    'images are replaced',
    'Node',
    { status: { images: [{ names: ['a'], sizeBytes: 1 }] } },
    {
      status: {
        images: [
          { names: ['b'], sizeBytes: 2 },
          { names: ['a'], sizeBytes: 1 },
        ],
      },
    },
    {
      status: {
        images: [
          { names: ['b'], sizeBytes: 2 },
          { names: ['a'], sizeBytes: 1 },
        ],
      },
    },
  ],
  [
    'attached and used volumes are replaced',
    'Node',
    { status: { volumesInUse: ['a', 'b'], volumesAttached: [{ name: 'a', devicePath: 'd' }] } },
    { status: { volumesInUse: ['a'], volumesAttached: [{ name: 'a', devicePath: 'e' }] } },
    { status: { volumesAttached: [{ devicePath: 'e', name: 'a' }], volumesInUse: ['a'] } },
  ],
  [
    'capacity',
    'Node',
    { status: { capacity: { cpu: '2', 'example.com/gpu': '1' } } },
    { status: { capacity: { cpu: '4', memory: '1Gi' } } },
    { status: { capacity: { cpu: '4', 'example.com/gpu': null, memory: '1Gi' } } },
  ],
  [
    'an object becomes null',
    'Pod',
    { spec: { securityContext: { runAsUser: 1 } } },
    { spec: { securityContext: null } },
    { spec: { securityContext: null } },
  ],
  [
    'null becomes an object',
    'Pod',
    { metadata: { creationTimestamp: null }, spec: { securityContext: null } },
    { metadata: { creationTimestamp: null }, spec: { securityContext: { runAsUser: 1 } } },
    { spec: { securityContext: { runAsUser: 1 } } },
  ],
  [
    'an object empties',
    'Pod',
    { spec: { securityContext: { runAsUser: 1 } } },
    { spec: { securityContext: {} } },
    { spec: { securityContext: { runAsUser: null } } },
  ],
  [
    'service ports',
    'Service',
    {
      spec: {
        ports: [
          { port: 80, targetPort: 1 },
          { port: 9, targetPort: 9 },
        ],
      },
    },
    {
      spec: {
        ports: [
          { port: 80, targetPort: 2 },
          { port: 9, targetPort: 9 },
        ],
      },
    },
    { spec: { '$setElementOrder/ports': [{ port: 80 }, { port: 9 }], ports: [{ port: 80, targetPort: 2 }] } },
  ],
];

describe('createStrategicMergePatch', () => {
  it.each(rows)('%s', (_name, kind, original, modified, patch) => {
    expect(createStrategicMergePatch(original, modified, patchSchemaOf(kind))).toEqual(patch);
  });

  it('takes undefined for absent', () => {
    const schema = patchSchemaOf('Pod');
    const original = { status: { phase: 'Running', reason: undefined } };
    expect(createStrategicMergePatch(original, { status: { phase: 'Running' } }, schema)).toEqual({});
    expect(createStrategicMergePatch(original, { status: { phase: undefined } }, schema)).toEqual({
      status: { phase: null },
    });
  });

  it('refuses an item without the merge key', () => {
    const original = { status: { conditions: [{ status: 'True' }] } };
    const modified = { status: { conditions: [{ type: 'A' }] } };
    let thrown: unknown;
    try {
      createStrategicMergePatch(original, modified, patchSchemaOf('Pod'));
    } catch (error) {
      thrown = error;
    }
    expect(hasCode(thrown, 'invalid-argument')).toBe(true);
    expect(String(thrown)).toContain('does not contain declared merge key: type');
  });

  it('merges only the metadata of kinds that it does not know', () => {
    const [original, modified] = [{ items: [{ name: 'a' }] }, { items: [{ name: 'a' }, { name: 'b' }] }];
    expect(createStrategicMergePatch(original, modified, patchSchemaOf('constructor'))).toEqual({
      items: [{ name: 'a' }, { name: 'b' }],
    });
  });
});
