import { describe, expect, it } from '@jest/globals';
import {
  isExtendedResource,
  type Container,
  type Pod,
  type PodSpec,
  type PodStatus,
  type ResourceList,
} from '@podwright/kube-types';
import { UsageCounter } from './node-usage.js';
import { neededBy, type ShareGates } from './pod-share.js';
import { failureRefusal } from './predicate-failure.js';
import { insufficientResources } from './resource-fit.js';
import { isMeasuredResource } from './resource-names.js';

const container = (name: string, requests: ResourceList, part: Partial<Container> = {}): Container => ({
  name,
  resources: { requests },
  ...part,
});
const pod = (spec: Partial<PodSpec>, status?: PodStatus): Pod => ({
  metadata: {},
  spec: { containers: [], ...spec },
  ...(status && { status }),
});
const plain = (requests: ResourceList): Pod => pod({ containers: [container('c', requests)] });
const allocatable = {
  cpu: '1900m',
  memory: '1Gi',
  'ephemeral-storage': '10Gi',
  pods: '3',
  'hugepages-2Mi': '4Mi',
  'example.com/gpu': '1',
  'example.com/gone': '0',
};
const defaults: ShareGates = {
  podLevelResources: true,
  podLevelResize: true,
  extendedResources: true,
  nodeAllocatableClaims: false,
};
const short = (given: Pod, others: readonly Pod[] = [], changed: Partial<ShareGates> = {}): readonly string[] => {
  const gates = { ...defaults, ...changed };
  const usage = new UsageCounter(gates).usageOf(others);
  return insufficientResources(neededBy(given, allocatable, gates), usage, allocatable).map((failure) => {
    const { reason, message } = failureRefusal(failure);
    return `${reason}: ${message}`;
  });
};
const out = (resource: string, requested: string | number, used: string | number, capacity: string | number): string =>
  `OutOf${resource}: Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
const sidecar = { restartPolicy: 'Always' } as const;

describe('fit of resources', () => {
  it.each<[string, Pod, readonly Pod[], readonly string[]]>([
    ['all of the node', plain({ cpu: '1900m', memory: '1Gi', 'ephemeral-storage': '10Gi' }), [], []],
    ['nothing on a full node', plain({}), [plain({ cpu: '1900m' })], []],
    ['zero on an overfull node', plain({ cpu: '0' }), [plain({ cpu: '4' })], []],
    ['cpu in thousandths', plain({ cpu: '1.5' }), [plain({ cpu: '500m' })], [out('cpu', 1500, 500, 1900)]],
    ['memory in bytes', plain({ memory: '1025Mi' }), [], [out('memory', 1074790400, 0, 1073741824)]],
    ['storage', plain({ 'ephemeral-storage': '11Gi' }), [], [out('ephemeral-storage', 11811160064, 0, 10737418240)]],
    ['huge pages', plain({ 'hugepages-2Mi': '6Mi' }), [], [out('hugepages-2Mi', 6291456, 0, 4194304)]],
    [
      'huge pages of a size that is not there',
      plain({ 'hugepages-1Gi': '1Gi' }),
      [],
      [out('hugepages-1Gi', 1073741824, 0, 0)],
    ],
    [
      'a device that is taken',
      plain({ 'example.com/gpu': '1' }),
      [plain({ 'example.com/gpu': '1' })],
      [out('example.com/gpu', 1, 1, 1)],
    ],
    ['a device whose plugin went away', plain({ 'example.com/gone': '1' }), [], [out('example.com/gone', 1, 0, 0)]],
    ['a device that the node never had', plain({ 'example.com/other': '5' }), [], []],
    ['one place too few', plain({}), [plain({}), plain({}), plain({})], [out('pods', 1, 3, 3)]],
    [
      'everything at once, in order',
      plain({ 'example.com/gone': '1', 'hugepages-2Mi': '6Mi', 'ephemeral-storage': '11Gi', memory: '2Gi', cpu: '2' }),
      [plain({}), plain({}), plain({})],
      [
        out('pods', 1, 3, 3),
        out('cpu', 2000, 0, 1900),
        out('memory', 2147483648, 0, 1073741824),
        out('ephemeral-storage', 11811160064, 0, 10737418240),
        out('example.com/gone', 1, 0, 0),
        out('hugepages-2Mi', 6291456, 0, 4194304),
      ],
    ],
    ['names that nobody counts', plain({ 'no-prefix': '5', pids: '9' }), [], []],
    [
      'overhead',
      pod({ containers: [container('c', { cpu: '1800m' })], overhead: { cpu: '200m' } }),
      [],
      [out('cpu', 2000, 0, 1900)],
    ],
    [
      'the largest init container',
      pod({ containers: [container('c', { cpu: '1' })], initContainers: [container('i', { cpu: '2' })] }),
      [],
      [out('cpu', 2000, 0, 1900)],
    ],
    [
      'sidecars beside the rest',
      pod({ containers: [container('c', { cpu: '1' })], initContainers: [container('s', { cpu: '1' }, sidecar)] }),
      [],
      [out('cpu', 2000, 0, 1900)],
    ],
    [
      'pod-level resources in place of those of containers',
      pod({ containers: [container('c', { cpu: '1' })], resources: { requests: { cpu: '2' } } }),
      [],
      [out('cpu', 2000, 0, 1900)],
    ],
    [
      'several containers of others',
      plain({ cpu: '1' }),
      [pod({ containers: [container('a', { cpu: '500m' }), container('b', { cpu: '500m' })] })],
      [out('cpu', 1000, 1000, 1900)],
    ],
  ])('%s', (_name, given, others, expected) => {
    expect(short(given, others)).toEqual(expected);
  });

  it('does not look at pod-level resources while they are switched off', () => {
    expect(
      short(pod({ containers: [], resources: { requests: { cpu: '2' } } }), [], { podLevelResources: false }),
    ).toEqual([]);
  });

  it('leaves a device to its claim', () => {
    const requests = { 'example.com/gpu': '2' };
    const requestMappings = [{ containerName: 'c', requestName: 'r', resourceName: 'example.com/gpu' }];
    const status = { extendedResourceClaimStatus: { requestMappings, resourceClaimName: 'claim' } };
    expect(short(pod({ containers: [container('c', requests)] }, status))).toEqual([]);
    expect(short(pod({ containers: [container('d', requests)] }, status))).toEqual([out('example.com/gpu', 2, 0, 1)]);
    expect(short(pod({ containers: [container('c', requests)] }, status), [], { extendedResources: false })).toEqual([
      out('example.com/gpu', 2, 0, 1),
    ]);
  });

  it('leaves only what is claimed to a claim, and counts the rest of the container', () => {
    const requests = { 'example.com/gpu': '2', 'example.com/gone': '1', 'example.com/never': '1', cpu: '2' };
    const mapping = (resourceName: string) => ({ containerName: 'c', requestName: 'r', resourceName });
    const requestMappings = [mapping('example.com/other'), mapping('example.com/gpu')];
    const status = { extendedResourceClaimStatus: { requestMappings, resourceClaimName: 'claim' } };
    expect(short(pod({ containers: [container('c', requests)] }, status))).toEqual([
      out('cpu', 2000, 0, 1900),
      out('example.com/gone', 1, 0, 0),
    ]);
  });

  it('leaves a device class that is named as a resource to its claim', () => {
    const resourceName = 'deviceclass.resource.kubernetes.io/fast';
    const requestMappings = [{ containerName: 'c', requestName: 'r', resourceName }];
    const status = { extendedResourceClaimStatus: { requestMappings, resourceClaimName: 'claim' } };
    const given = pod({ containers: [container('c', { [resourceName]: '1' })] }, status);
    expect(short(given)).toEqual([]);
    expect(short(given, [], { extendedResources: false })).toEqual([out(resourceName, 1, 0, 0)]);
  });

  it("adds what claims take of the node's own resources, if the gate is on", () => {
    const nodeAllocatableResourceClaimStatuses = [
      { resourceClaimName: 'a', containers: ['c'], resources: { cpu: '500m' } },
      { resourceClaimName: 'b', resources: { cpu: '250m' } },
    ];
    const claiming = pod({ containers: [container('c', { cpu: '1' })] }, { nodeAllocatableResourceClaimStatuses });
    expect(short(claiming, [claiming])).toEqual([out('cpu', 1000, 1000, 1900)]);
    expect(short(claiming, [claiming], { nodeAllocatableClaims: true })).toEqual([out('cpu', 1750, 1750, 1900)]);
  });

  it('counts pod-level resources with what the runtime still gives during a resize', () => {
    const status = { resources: { requests: { cpu: '1500m' } }, allocatedResources: { cpu: '1200m' } };
    const resized = pod({ containers: [], resources: { requests: { cpu: '1' } } }, status);
    expect(short(plain({ cpu: '1' }), [resized])).toEqual([out('cpu', 1000, 1500, 1900)]);
    expect(short(plain({ cpu: '1' }), [resized], { podLevelResize: false })).toEqual([out('cpu', 1000, 1000, 1900)]);
  });

  it('counts an init container that is no sidecar by its spec', () => {
    const initContainerStatuses = [
      { name: 'i', image: '', imageID: '', ready: true, restartCount: 0, resources: { requests: { cpu: '1500m' } } },
    ];
    const done = pod({ containers: [], initContainers: [container('i', { cpu: '1' })] }, { initContainerStatuses });
    expect(short(plain({ cpu: '1' }), [done])).toEqual([out('cpu', 1000, 1000, 1900)]);
  });

  it.each([
    ['what the runtime still gives', [], 1500],
    [
      'what the runtime gives when the resize can never be',
      [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
      1200,
    ],
  ])('counts %s for a pod that is resized', (_name, conditions, used) => {
    const containerStatuses = [
      {
        name: 'c',
        image: '',
        imageID: '',
        ready: true,
        restartCount: 0,
        resources: { requests: { cpu: '1' } },
        allocatedResources: { cpu: '1200m' },
      },
    ];
    const resized = pod({ containers: [container('c', { cpu: '1500m' })] }, { containerStatuses, conditions });
    expect(short(plain({ cpu: '1' }), [resized])).toEqual([out('cpu', 1000, used, 1900)]);
  });
});

describe('names of resources', () => {
  it.each([
    ['cpu', true, false],
    ['memory', true, false],
    ['ephemeral-storage', true, false],
    ['hugepages-2Mi', true, false],
    ['attachable-volumes-csi-x', true, false],
    ['kubernetes.io/x', true, false],
    ['example.com/x', true, true],
    ['requests.example.com/x', false, false],
    ['pods', false, false],
    ['storage', false, false],
    ['example.com/not a name', false, false],
  ])('%s is counted: %s, extended: %s', (name, measured, extended) => {
    expect(isMeasuredResource(name)).toBe(measured);
    expect(isExtendedResource(name)).toBe(extended);
  });
});
