import { describe, expect, it } from '@jest/globals';
import type { Container, Pod } from '@podwright/kube-types';
import { container, podWith } from './fixtures/pods.js';
import { gi, nodeSettings } from './fixtures/settings.js';
import type { ResourceSettings } from './linux-resources.js';
import { containerResources, overheadResources, sandboxResources } from './linux-resources.js';
import { oomScoreAdj } from './oom-score-adj.js';

const settings = nodeSettings;
type Amounts = NonNullable<Container['resources']>;
const app = (resources: Amounts): Container => container('app', { resources });
const resourcesOf = (
  resources: Amounts,
  more: Partial<ResourceSettings> = {},
  sizes: string[] = [],
): ReturnType<typeof containerResources> =>
  containerResources(podWith({ containers: [app(resources)] }), app(resources), { ...settings, ...more }, sizes);

describe('CPU', () => {
  it.each<[string, Amounts, bigint, bigint]>([
    ['request and limit', { requests: { cpu: '250m' }, limits: { cpu: '1500m' } }, 256n, 150_000n],
    ['limit alone also gives the shares', { limits: { cpu: '500m' } }, 512n, 50_000n],
    ['nothing', {}, 2n, 0n],
    ['a request of zero', { requests: { cpu: '0' }, limits: { cpu: '2' } }, 2n, 200_000n],
    ['the least that the kernel takes', { requests: { cpu: '1m' }, limits: { cpu: '1m' } }, 2n, 1000n],
    ['no more than the most shares', { requests: { cpu: '1000' } }, 262_144n, 0n],
  ])('%s', (_, resources, cpuShares, cpuQuota) => {
    expect(resourcesOf(resources)).toMatchObject({ cpuShares, cpuQuota, cpuPeriod: 100_000n });
  });

  it('has no quota when that is off, and another period when told', () => {
    expect(resourcesOf({ limits: { cpu: '1' } }, { cpuCfsQuota: false })).not.toHaveProperty('cpuQuota');
    expect(resourcesOf({ limits: { cpu: '1' } }, { cpuCfsQuotaPeriodMs: 20 })).toMatchObject({
      cpuQuota: 20_000n,
      cpuPeriod: 20_000n,
    });
  });
});

describe('CPUs of its own', () => {
  const pinned = { containerHas: (_: Pod, { name }: Container) => name === 'app', podHas: () => true };
  const amounts = { requests: { cpu: '2' }, limits: { cpu: '2' } };

  it('lift the quota, not the shares, of the container and of its pod', () => {
    const pod = podWith({ containers: [app(amounts), container('other', { resources: amounts })] });
    const own = containerResources(pod, app(amounts), settings, [], pinned);
    expect(own).toMatchObject({ cpuShares: 2048n, cpuQuota: -1n, cpuPeriod: 100_000n });
    const other = containerResources(pod, container('other', { resources: amounts }), settings, [], pinned);
    expect(other).toMatchObject({ cpuQuota: 200_000n });
    expect(sandboxResources(pod, settings, pinned)).toMatchObject({ cpuShares: 4096n, cpuQuota: -1n });
    expect(sandboxResources(pod, settings)).toMatchObject({ cpuQuota: 400_000n });
  });

  it('need no quota where there is none', () => {
    const without = { ...settings, cpuCfsQuota: false };
    expect(containerResources(podWith(), app(amounts), without, [], pinned)).not.toHaveProperty('cpuQuota');
  });
});

describe('memory and the rest', () => {
  it('takes the limit, else the pod’s', () => {
    expect(resourcesOf({ limits: { memory: '64Mi' } }).memoryLimitInBytes).toBe(64n * 1024n ** 2n);
    expect(resourcesOf({})).not.toHaveProperty('memoryLimitInBytes');
    const pod = podWith({ resources: { limits: { memory: '1Gi', cpu: '2' } } });
    expect(containerResources(pod, container('app'), settings, [])).toMatchObject({
      memoryLimitInBytes: BigInt(gi),
      cpuQuota: 200_000n,
    });
  });

  it('kills the whole container on cgroup v2 unless told otherwise', () => {
    expect(resourcesOf({}, { cgroupVersion: 2 }).unified).toEqual({ 'memory.oom.group': '1' });
    expect(resourcesOf({}, { cgroupVersion: 2, singleProcessOomKill: true }).unified).toBeUndefined();
    expect(resourcesOf({}).unified).toBeUndefined();
  });

  it('names every size of huge pages', () => {
    expect(resourcesOf({ limits: { 'hugepages-2Mi': '64Mi' } }, {}, ['2MB', '1GB']).hugepageLimits).toEqual([
      { pageSize: '2MB', limit: 64n * 1024n ** 2n },
      { pageSize: '1GB', limit: 0n },
    ]);
  });

  it('gives swap only where asked for and known', () => {
    const burstable = { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } };
    const v2 = { cgroupVersion: 2, swapControllerAvailable: true, singleProcessOomKill: true };
    const swapOf = (resources: Amounts, more: Partial<ResourceSettings>): unknown =>
      resourcesOf(resources, more).unified;
    expect(swapOf(burstable, v2)).toEqual({ 'memory.swap.max': '0' });
    expect(swapOf(burstable, { ...v2, memorySwapBehavior: 'LimitedSwap' })).toEqual({
      'memory.swap.max': String(gi / 2),
    });
    expect(
      swapOf(
        { requests: { memory: '1Gi' }, limits: { memory: '1Gi', cpu: '1' } },
        { ...v2, memorySwapBehavior: 'LimitedSwap' },
      ),
    ).toEqual({ 'memory.swap.max': '0' });
    expect(swapOf({}, { ...v2, memorySwapBehavior: 'LimitedSwap' })).toEqual({ 'memory.swap.max': '0' });
    expect(resourcesOf(burstable, { swapControllerAvailable: true }).memorySwapLimitInBytes).toBe(BigInt(2 * gi));
    expect(resourcesOf(burstable)).not.toHaveProperty('memorySwapLimitInBytes');
  });

  it('adds up the pod for the sandbox, overhead apart', () => {
    const pod = podWith({
      containers: [
        app({ requests: { cpu: '1' }, limits: { cpu: '1', memory: '1Gi' } }),
        container('b', { resources: { requests: { cpu: '1' }, limits: { cpu: '1', memory: '1Gi' } } }),
      ],
      overhead: { cpu: '500m', memory: '10Mi' },
    });
    expect(sandboxResources(pod, settings)).toMatchObject({
      cpuShares: 2048n,
      cpuQuota: 200_000n,
      memoryLimitInBytes: BigInt(2 * gi),
    });
    expect(overheadResources(pod, settings)).toMatchObject({
      cpuShares: 512n,
      cpuQuota: 50_000n,
      memoryLimitInBytes: 10n * 1024n ** 2n,
    });
    expect(overheadResources(podWith(), settings)).toEqual({});
  });
});

describe('OOM score', () => {
  const burstable = (request: string): Container => container('app', { resources: { requests: { memory: request } } });
  const score = (pod: Pod, of: Container = pod.spec.containers[0] as Container): number =>
    Number(oomScoreAdj(pod, of, BigInt(4 * gi)));
  const guaranteed = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };

  it.each<[string, Pod, number]>([
    ['BestEffort', podWith(), 1000],
    ['Guaranteed', podWith({ containers: [app(guaranteed)] }), -997],
    ['critical for the node', podWith({ priority: 2_000_001_000, priorityClassName: 'system-node-critical' }), -997],
    ['a quarter of the memory', podWith({ containers: [burstable('1Gi')] }), 750],
    ['next to nothing is not BestEffort', podWith({ containers: [burstable('1Ki')] }), 999],
    ['all of the memory is not Guaranteed', podWith({ containers: [burstable('4Gi')] }), 3],
    [
      'a share of what the pod asked for itself',
      podWith({ containers: [container('app'), container('b')], resources: { requests: { memory: '2Gi' } } }),
      750,
    ],
  ])('%s', (_, pod, expected) => {
    expect(score(pod)).toBe(expected);
  });

  it('does not let a sidecar go before what it serves', () => {
    const proxy = container('s', { restartPolicy: 'Always' });
    expect(score(podWith({ containers: [burstable('1Gi')], initContainers: [proxy] }), proxy)).toBe(750);
  });
});
