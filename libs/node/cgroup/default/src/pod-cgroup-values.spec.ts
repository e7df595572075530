import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { podCgroupValues, type PodCgroupOptions } from './pod-cgroup-values.js';
import type { CgroupValues } from './cgroup-values.js';

const options: PodCgroupOptions = {
  cpuCfsQuota: true,
  cpuCfsQuotaPeriodMs: 100,
  podLevelResources: true,
  podPidsLimit: -1,
  memoryQos: false,
  memoryReservationPolicy: 'None',
};
const sizes = [
  { bytes: 2 ** 21, name: '2MB' },
  { bytes: 2 ** 30, name: '1GB' },
];
const mi = 2 ** 20;

type List = Readonly<Record<string, string>>;
type Spec = Pod['spec'];
const container = (requests?: List, limits?: List, restartPolicy?: string): Spec['containers'][number] => ({
  name: 'a',
  ...((requests ?? limits) !== undefined && {
    resources: { ...(requests && { requests }), ...(limits && { limits }) },
  }),
  ...(restartPolicy !== undefined && { restartPolicy }),
});
const same = (list: List) => container(list, list);
const pod = (containers: Spec['containers'], more: Partial<Spec> = {}): Pod => ({
  metadata: { uid: '1' },
  spec: { containers, ...more },
});
const quota = (cpuQuotaUs: number, cpuPeriodUs = 100_000) => ({ cpuQuotaUs, cpuPeriodUs });
const small = { cpu: '100m', memory: '64Mi' };

describe('values of a pod cgroup', () => {
  it.each<[string, Pod, Partial<PodCgroupOptions>, CgroupValues]>([
    ['BestEffort', pod([container()]), {}, { cpuShares: 2 }],
    [
      'Guaranteed',
      pod([same(small), same({ cpu: '200m', memory: '100Mi' })]),
      {},
      { cpuShares: 307, ...quota(30_000), memoryLimitBytes: 164 * mi },
    ],
    [
      'Guaranteed, less CPU than the kernel takes',
      pod([same({ cpu: '1m', memory: '64Mi' })]),
      {},
      { cpuShares: 2, ...quota(1000), memoryLimitBytes: 64 * mi },
    ],
    ['Burstable, requests only', pod([container(small)]), {}, { cpuShares: 102 }],
    [
      'Burstable, all limits',
      pod([container({ cpu: '100m' }, small)]),
      {},
      { cpuShares: 102, ...quota(10_000), memoryLimitBytes: 64 * mi },
    ],
    [
      'Burstable, CPU limits only',
      pod([container(small, { cpu: '1' }), container({}, { cpu: '500m' })]),
      {},
      { cpuShares: 102, ...quota(150_000) },
    ],
    [
      'Burstable, memory limits only',
      pod([container(small, { memory: '64Mi' }), container({}, { memory: '36Mi' })]),
      {},
      { cpuShares: 102, memoryLimitBytes: 100 * mi },
    ],
    ['Burstable, one container without limits', pod([container(small, small), container()]), {}, { cpuShares: 102 }],
    [
      'Burstable, a limit of zero is none',
      pod([container(small, { cpu: '0', memory: '64Mi' })]),
      {},
      { cpuShares: 102, memoryLimitBytes: 64 * mi },
    ],
    [
      'an init container without limits',
      pod([container({ cpu: '100m' }, small)], { initContainers: [container()] }),
      {},
      { cpuShares: 102 },
    ],
    [
      'an init container with more',
      pod([container({ cpu: '100m' }, small)], { initContainers: [same({ cpu: '1', memory: '10Mi' })] }),
      {},
      { cpuShares: 1024, ...quota(100_000), memoryLimitBytes: 64 * mi },
    ],
    [
      'a sidecar beside later init containers',
      pod([container({ cpu: '100m' }, small)], {
        initContainers: [container(small, small, 'Always'), container({ cpu: '400m' }, { cpu: '600m', memory: '1Mi' })],
      }),
      {},
      { cpuShares: 512, ...quota(70_000), memoryLimitBytes: 128 * mi },
    ],
    [
      'overhead',
      pod([same(small)], { overhead: { cpu: '150m', memory: '6Mi' } }),
      {},
      { cpuShares: 256, ...quota(25_000), memoryLimitBytes: 70 * mi },
    ],
    [
      'pod-level limits stand in for those of containers',
      pod([container(), container({ cpu: '50m' })], {
        resources: { requests: small, limits: { cpu: '1', memory: '1Gi' } },
      }),
      {},
      { cpuShares: 102, ...quota(100_000), memoryLimitBytes: 1024 * mi },
    ],
    [
      'pod-level limits that equal the requests',
      pod([container()], { resources: { requests: small, limits: small } }),
      {},
      { cpuShares: 102, ...quota(10_000), memoryLimitBytes: 64 * mi },
    ],
    [
      'a pod-level limit of one resource',
      pod([container(small)], { resources: { limits: { memory: '80Mi' } } }),
      {},
      { cpuShares: 102, memoryLimitBytes: 80 * mi },
    ],
    [
      'pod-level resources without their gate',
      pod([container({ cpu: '50m' })], { resources: { requests: small, limits: { cpu: '1', memory: '1Gi' } } }),
      { podLevelResources: false },
      { cpuShares: 51 },
    ],
    [
      'no CPU quota, Guaranteed',
      pod([same(small)]),
      { cpuCfsQuota: false },
      { cpuShares: 102, ...quota(-1), memoryLimitBytes: 64 * mi },
    ],
    ['no CPU quota, BestEffort', pod([container()]), { cpuCfsQuota: false }, { cpuShares: 2 }],
    [
      'another period',
      pod([same(small)]),
      { cpuCfsQuotaPeriodMs: 20 },
      { cpuShares: 102, ...quota(2000, 20_000), memoryLimitBytes: 64 * mi },
    ],
    ['a limit of processes', pod([container()]), { podPidsLimit: 100 }, { cpuShares: 2, pidsLimit: 100 }],
    ['a limit of processes that is none', pod([container()]), { podPidsLimit: 0 }, { cpuShares: 2 }],
    [
      'the class in the status, which never changes',
      { ...pod([container(small)]), status: { qosClass: 'BestEffort' } },
      {},
      { cpuShares: 2 },
    ],
  ])('%s', (_name, one, given, expected) => {
    const { hugePageBytes, ...values } = podCgroupValues(one, { ...options, ...given }, []);
    expect(values).toEqual(expected);
    expect(hugePageBytes).toEqual(new Map());
  });

  it.each<[string, Pod, readonly (readonly [string, bigint])[]]>([
    [
      'none',
      pod([container(small)]),
      [
        ['2MB', 0n],
        ['1GB', 0n],
      ],
    ],
    [
      'the sum of the requests',
      pod([same({ 'hugepages-2Mi': '4Mi' }), same({ 'hugepages-2Mi': '6Mi', 'hugepages-1Gi': '1Gi' })]),
      [
        ['2MB', 10_485_760n],
        ['1GB', 1_073_741_824n],
      ],
    ],
    [
      'a size that the kernel does not know',
      pod([same({ 'hugepages-64Ki': '64Ki' })]),
      [
        ['2MB', 0n],
        ['1GB', 0n],
      ],
    ],
    [
      'a size spelled otherwise',
      pod([same({ 'hugepages-2048Ki': '4Mi' })]),
      [
        ['2MB', 4_194_304n],
        ['1GB', 0n],
      ],
    ],
  ])('huge pages: %s', (_name, one, expected) => {
    expect([...(podCgroupValues(one, options, sizes).hugePageBytes ?? [])]).toEqual(expected);
  });

  it.each<[string, Pod, PodCgroupOptions['memoryReservationPolicy'], string, string]>([
    ['Guaranteed', pod([same(small)]), 'TieredReservation', '67108864', '0'],
    ['Burstable', pod([container(small)]), 'TieredReservation', '0', '67108864'],
    ['BestEffort', pod([container()]), 'TieredReservation', '0', '0'],
    ['Guaranteed', pod([same(small)]), 'None', '0', '0'],
    ['Burstable', pod([container(small)]), 'None', '0', '0'],
  ])('memory reservation of a %s pod', (_name, one, memoryReservationPolicy, min, low) => {
    const { unified } = podCgroupValues(one, { ...options, memoryQos: true, memoryReservationPolicy }, []);
    expect(unified).toEqual({ 'memory.min': min, 'memory.low': low });
  });
});
