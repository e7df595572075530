import { describe, expect, it } from '@jest/globals';
import type { PodCgroupResources } from '@podwright/cgroup-interface';
import { KubeletError } from '@podwright/errors';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createFakeActuated, createFakePodCgroups } from '../fixtures/fake-resources.js';
import { FakeCri } from '../fixtures/fake-cri.js';
import { container, podWith } from '../fixtures/pods.js';
import { nodeSettings } from '../fixtures/settings.js';
import { createLinuxResources } from '../linux-resources.module.js';
import { createPodResizer } from './pod-resizer.module.js';

const Mi = 1024 ** 2;

interface Limits {
  readonly cpu: string;
  readonly memory: string;
}

interface Harness {
  readonly lines: string[];
  readonly fake: FakeCri;
  readonly resizer: ReturnType<typeof createPodResizer>;
  readonly cgroups: ReturnType<typeof createFakePodCgroups>;
  readonly actuated: ReturnType<typeof createFakeActuated>;
  readonly metrics: ReturnType<typeof createMetricsRegistry>;
  run(granted: Readonly<Record<string, Limits>>, spec?: Partial<PodSpec>): Promise<string | undefined>;
}

/** Containers have what `has` says; cgroup values of the pod before and after are given. */
function createHarness(
  has: Readonly<Record<string, Limits>>,
  before: PodCgroupResources,
  after: PodCgroupResources,
): Harness {
  const lines: string[] = [];
  const fake = new FakeCri({
    updateContainerResources: (request: {
      containerId: string;
      linux: { cpuQuota: bigint; memoryLimitInBytes: bigint };
    }) => {
      const { containerId, linux } = request;
      lines.push(`update ${containerId} quota=${linux.cpuQuota} memory=${Number(linux.memoryLimitInBytes) / Mi}`);
      return {};
    },
    updatePodSandboxResources: ({
      resources,
    }: {
      resources: { cpuQuota: bigint; memoryLimitInBytes: bigint; cpuShares: bigint };
    }) => {
      lines.push(
        `sandbox quota=${resources.cpuQuota} shares=${resources.cpuShares} memory=${Number(resources.memoryLimitInBytes) / Mi}`,
      );
      return {};
    },
    containerStats: () => ({ stats: { memory: { usageBytes: { value: BigInt(100 * Mi) } } } }),
  });
  const cgroups = createFakePodCgroups((line) => lines.push(line));
  Object.assign(cgroups, { set: before, wanted: after, usageBytes: 100 * Mi });
  const actuated = createFakeActuated({
    'uid-1': {
      containers: Object.fromEntries(Object.entries(has).map(([name, limits]) => [name, { limits: { ...limits } }])),
    },
  });
  const metrics = createMetricsRegistry();
  const logger = createMemoryLogger();
  const resources = createLinuxResources({}, { ...nodeSettings, hugePagesDir: '/nonexistent' });
  const resizer = createPodResizer({
    ...{ runtime: fake.service, resources, podCgroups: cgroups, actuated, clock: new VirtualClock(), logger, metrics },
  });
  const run = async (
    granted: Readonly<Record<string, Limits>>,
    spec: Partial<PodSpec> = {},
  ): Promise<string | undefined> => {
    const containers = Object.entries(granted).map(([name, limits]) =>
      container(name, { resources: { limits: { ...limits } } }),
    );
    const pod: Pod = podWith({ containers, ...spec });
    const plan = resizer.plan(pod);
    for (const each of containers) plan.keeps(each, each.name);
    plan.comparePodLevel();
    const resize = plan.result();
    if (resize === undefined) throw new Error('nothing to resize');
    const result = await resizer.resize(pod, 'sandbox-1', resize);
    expect(result).toMatchObject({ action: 'ResizePodInPlace', target: 'web_default(uid-1)' });
    if (result.error !== undefined) expect(result.error.reason).toBe('ResizePodInPlaceError');
    return result.error?.message;
  };
  return { lines, fake, cgroups, actuated, metrics, resizer, run };
}

const values = (cpus: number, memoryMi: number): PodCgroupResources => ({
  cpuShares: 1024 * cpus,
  cpuQuotaUs: 100_000 * cpus,
  cpuPeriodUs: 100_000,
  memoryLimitBytes: memoryMi * Mi,
});

describe('PodResizer', () => {
  it('grows from the outside in, memory before CPU, limits before requests', async () => {
    const { lines, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 512));
    expect(await run({ a: { cpu: '2', memory: '512Mi' } })).toBeUndefined();
    expect(lines).toEqual([
      'sandbox quota=100000 shares=1024 memory=512',
      `write memoryLimitBytes=${512 * Mi}`,
      'update a quota=100000 memory=512',
      'sandbox quota=200000 shares=1024 memory=512',
      'write cpuQuotaUs=200000 cpuPeriodUs=100000',
      'sandbox quota=200000 shares=2048 memory=512',
      'write cpuShares=2048',
      'update a quota=200000 memory=512',
    ]);
  });

  it('shrinks from the inside out, requests before limits', async () => {
    const { lines, run } = createHarness({ a: { cpu: '2', memory: '512Mi' } }, values(2, 512), values(1, 256));
    expect(await run({ a: { cpu: '1', memory: '256Mi' } })).toBeUndefined();
    expect(lines.filter((line) => !line.startsWith('sandbox'))).toEqual([
      'update a quota=200000 memory=256',
      `write memoryLimitBytes=${256 * Mi}`,
      'update a quota=100000 memory=256',
      'write cpuShares=1024',
      'write cpuQuotaUs=100000 cpuPeriodUs=100000',
    ]);
  });

  it('takes from one container before it gives to another', async () => {
    const before = { a: { cpu: '1', memory: '256Mi' }, b: { cpu: '2', memory: '256Mi' } };
    const { lines, run } = createHarness(before, values(3, 512), values(3, 512));
    expect(await run({ a: { cpu: '2', memory: '256Mi' }, b: { cpu: '1', memory: '256Mi' } })).toBeUndefined();
    expect(lines).toEqual(['update b quota=100000 memory=256', 'update a quota=200000 memory=256']);
  });

  it('writes down what was accepted, each resource when it was', async () => {
    const { actuated, fake, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 512));
    let calls = 0;
    fake.on('updateContainerResources', () => {
      if (++calls === 2) throw new KubeletError('no', { code: 'internal' });
      return {};
    });
    expect(await run({ a: { cpu: '2', memory: '512Mi' } })).toBe('rpc error: code = Internal desc = no');
    expect(actuated.of('uid-1')?.containers['a']?.limits).toEqual({ cpu: '1', memory: '512Mi' });
  });

  it('leaves limits alone that the pod has no longer, and sets one that is new after its containers', async () => {
    const unlimited = { ...values(1, 256), cpuQuotaUs: -1 };
    const first = createHarness({ a: { cpu: '0', memory: '256Mi' } }, unlimited, values(1, 256));
    expect(await first.run({ a: { cpu: '1', memory: '256Mi' } })).toBeUndefined();
    expect(first.lines.filter((line) => !line.startsWith('sandbox'))).toEqual([
      'update a quota=100000 memory=256',
      'write cpuQuotaUs=100000 cpuPeriodUs=100000',
    ]);
    const second = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), { cpuShares: 1024 });
    expect(await second.run({ a: { cpu: '0', memory: '256Mi' } })).toBeUndefined();
    expect(second.lines).toEqual(['update a quota=0 memory=256']);
  });

  it('takes the cgroup values of pods with overhead apart', async () => {
    const { fake, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 512));
    await run({ a: { cpu: '2', memory: '512Mi' } }, { overhead: { cpu: '500m', memory: '64Mi' } });
    expect(fake.requestOf('updatePodSandboxResources', 2)).toMatchObject({
      podSandboxId: 'sandbox-1',
      overhead: { cpuQuota: 50_000n, memoryLimitInBytes: BigInt(64 * Mi) },
      resources: { cpuQuota: 150_000n, cpuShares: 1536n, memoryLimitInBytes: BigInt(448 * Mi) },
    });
  });

  it.each<[string, Limits, number, string | undefined]>([
    ['above what is used', { cpu: '1', memory: '128Mi' }, 100, undefined],
    [
      'at what the container uses',
      { cpu: '1', memory: '100Mi' },
      90,
      'cannot decrease memory limits: attempting to set container "a" memory limit (104857600) below current usage (104857600)',
    ],
    [
      'below what both use',
      { cpu: '1', memory: '64Mi' },
      80,
      'cannot decrease memory limits: [attempting to set pod memory limit (67108864) below current usage (83886080), attempting to set container "a" memory limit (67108864) below current usage (104857600)]',
    ],
  ])('lowers memory %s', async (_what, limits, podUsageMi, message) => {
    const memory = Number.parseInt(limits.memory, 10);
    const { cgroups, lines, run } = createHarness(
      { a: { cpu: '1', memory: '256Mi' } },
      values(1, 256),
      values(1, memory),
    );
    cgroups.usageBytes = podUsageMi * Mi;
    expect(await run({ a: limits })).toBe(message);
    if (message !== undefined) expect(lines).toEqual([]);
  });

  it('does not lower memory when nobody can tell how much is used', async () => {
    const { fake, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(1, 128));
    fake.on('containerStats', () => ({ stats: undefined }));
    expect(await run({ a: { cpu: '1', memory: '128Mi' } })).toBe(
      'cannot decrease memory limits: missing container "a" memory usage',
    );
    fake.on('containerStats', () => {
      throw new KubeletError('gone', { code: 'not-found' });
    });
    expect(await run({ a: { cpu: '1', memory: '128Mi' } })).toBe(
      'unable to read memory usage for pod "web_default(uid-1)"',
    );
  });

  it.each([
    ['unimplemented', 'unknown method'],
    ['unknown', 'not implemented yet'],
  ] as const)('needs no runtime that knows UpdatePodSandboxResources (%s: %s)', async (code, message) => {
    const { fake, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 256));
    fake.on('updatePodSandboxResources', () => {
      throw new KubeletError(message, { code });
    });
    expect(await run({ a: { cpu: '2', memory: '256Mi' } })).toBeUndefined();
  });

  it('changes nothing when the runtime refuses', async () => {
    const { fake, lines, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 256));
    fake.on('updatePodSandboxResources', () => {
      throw new KubeletError('not now', { code: 'internal' });
    });
    expect(await run({ a: { cpu: '2', memory: '256Mi' } })).toBe(
      'failed to notify runtime for UpdatePodSandboxResources (resource=cpu); resize rejected: updatePodSandboxResources failed for sanboxID "sandbox-1": rpc error: code = Internal desc = not now',
    );
    expect(lines).toEqual([]);
  });

  it('tells the runtime the old values when the kernel refuses', async () => {
    const { cgroups, lines, metrics, run } = createHarness(
      { a: { cpu: '1', memory: '256Mi' } },
      values(1, 256),
      values(2, 256),
    );
    cgroups.broken = 'cpuQuotaUs';
    expect(await run({ a: { cpu: '2', memory: '256Mi' } })).toBe('device or resource busy');
    expect(lines).toEqual([
      'sandbox quota=200000 shares=1024 memory=256',
      'write cpuQuotaUs=200000 cpuPeriodUs=100000',
      'sandbox quota=100000 shares=1024 memory=256',
    ]);
    expect(await metrics.render()).toContain('kubelet_pod_resize_duration_milliseconds_count{success="false"} 1');
  });

  it('lowers the cgroup at the next attempt when it could not after its containers', async () => {
    const { cgroups, lines, run } = createHarness({ a: { cpu: '2', memory: '256Mi' } }, values(2, 256), values(1, 256));
    cgroups.broken = 'cpuShares';
    expect(await run({ a: { cpu: '1', memory: '256Mi' } })).toBe('device or resource busy');
    cgroups.broken = undefined;
    lines.length = 0;
    expect(await run({ a: { cpu: '1', memory: '256Mi' } })).toBeUndefined();
    expect(lines.filter((line) => line.startsWith('write'))).toContain('write cpuShares=1024');
  });

  it('records pod-level resources, with zeros for what limits or requests do not name', async () => {
    const { actuated, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 512));
    await actuated.setPod('uid-1', { limits: { cpu: '1', memory: '256Mi' }, requests: { cpu: '1' } });
    const granted = { limits: { cpu: '2', memory: '512Mi' }, requests: { cpu: '2' } };
    expect(await run({ a: { cpu: '1', memory: '256Mi' } }, { resources: granted })).toBeUndefined();
    expect(actuated.of('uid-1')?.pod).toEqual({ ...granted, requests: { cpu: '2', memory: '0' } });
    const alone = { limits: { memory: '1Gi' } };
    await actuated.setPod('uid-1', { limits: { memory: '512Mi' } });
    expect(await run({ a: { cpu: '1', memory: '256Mi' } }, { resources: alone })).toBeUndefined();
    expect(actuated.of('uid-1')?.pod).toEqual({ limits: { cpu: '0', memory: '1Gi' } });
  });

  it('says so when the cgroup of the pod cannot be read', async () => {
    const { cgroups, run } = createHarness({ a: { cpu: '1', memory: '256Mi' } }, values(1, 256), values(2, 256));
    cgroups.read = () => Promise.reject(new KubeletError('missing', { code: 'not-found' }));
    expect(await run({ a: { cpu: '2', memory: '256Mi' } })).toBe(
      'unable to get pod cgroup memory config for pod "web_default(uid-1)"',
    );
  });

  it.each([
    ['more', values(9, 256), ['write cpuQuotaUs=900000 cpuPeriodUs=100000', 'write cpuShares=9216']],
    ['less', values(2, 256), ['write cpuShares=2048', 'write cpuQuotaUs=200000 cpuPeriodUs=100000']],
    ['the same', values(5, 256), []],
  ])(
    'gives the pod %s CPU for the start of a container that was granted it while it was down',
    async (_, after, writes) => {
      const { lines, resizer } = createHarness({}, values(5, 256), after);
      await resizer.makeRoomForStart(podWith(), 'sandbox-1');
      expect(lines.filter((line) => line.startsWith('write'))).toEqual(writes);
    },
  );
});
