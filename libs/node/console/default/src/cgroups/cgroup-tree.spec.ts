import { expect, it } from '@jest/globals';
import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { cgroupSample } from '../fixtures/test-node.js';
import { cgroupOwners, CgroupTreeReader } from './cgroup-tree.js';

const id = 'c'.repeat(64);
const pod: Pod = { metadata: { uid: 'a-b', namespace: 'shop', name: 'web' }, spec: { containers: [] } };
const status = { containerStatuses: [{ name: 'main', containerID: `containerd://${id}` }] } as unknown as PodStatus;
const owners = cgroupOwners([{ pod, status }]);

const noFailures = {
  failed: (kind: string): void => {
    throw new Error(kind);
  },
};

it.each([
  ['/kubepods/burstable/poda-b', `/kubepods/burstable/poda-b/${id}`],
  [
    '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda_b.slice',
    `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda_b.slice/cri-containerd-${id}.scope`,
  ],
])('names the owners of %s', async (ofPod, ofContainer) => {
  const samples = ['/', ofPod, ofContainer].map((path) => cgroupSample(path));
  const { groups } = await new CgroupTreeReader(
    { samples: async () => samples, sample: async () => undefined },
    noFailures,
  ).read(owners, 5);
  expect(groups).toEqual([
    { path: '/' },
    { path: ofPod, pod: 'shop/web' },
    { path: ofContainer, pod: 'shop/web', container: 'main' },
  ]);
});

it('shows the share of throttled periods since the last look, and reads all files only where there is a quota', async () => {
  let cfs = { periods: 100, throttledPeriods: 50, throttledNs: 0, burstPeriods: 0, burstNs: 0 };
  const usage = { ...{ cpu: { usageNs: 0, usageNanoCores: 7 } }, memory: { workingSet: 8 } as never };
  const read: string[] = [];
  const reader = new CgroupTreeReader(
    {
      samples: async () => [
        cgroupSample('/', { processes: { count: 1 } }),
        cgroupSample('/a', { ...usage, limits: { memoryLimit: 9 }, processes: { count: 0 } }),
        cgroupSample('/a/b', { processes: { count: 2 } }),
        cgroupSample('/a/c'),
      ],
      sample: async (path): Promise<CgroupSample> => {
        read.push(path);
        const limits = path === '/a' ? { cpuQuotaUs: 1 } : {};
        return cgroupSample(path, { limits, cpu: { usageNs: 0, cfs } });
      },
    },
    noFailures,
  );
  const first = { path: '/a', cpuNanoCores: 7, memoryWorkingSetBytes: 8, memoryLimitBytes: 9, pids: 2 };
  const rows = async (nowMs: number): Promise<unknown> => (await reader.read(owners, nowMs)).groups;
  const others = [{ path: '/a/b', pids: 2 }, { path: '/a/c' }];
  expect(await rows(1)).toEqual([{ path: '/', pids: 3 }, first, ...others]);
  expect(read.splice(0)).toEqual(['/', '/a', '/a/b', '/a/c']);
  cfs = { ...cfs, periods: 120, throttledPeriods: 55 };
  expect(await rows(2)).toEqual([{ path: '/', pids: 3 }, { ...first, cpuThrottledRatio: 0.25 }, ...others]);
  // No period has passed, and then the cgroup was made anew.
  expect(await rows(3)).toEqual([{ path: '/', pids: 3 }, first, ...others]);
  cfs = { ...cfs, periods: 1, throttledPeriods: 0 };
  expect(await rows(4)).toEqual([{ path: '/', pids: 3 }, first, ...others]);
  expect(read).toEqual(['/a', '/a', '/a']);
});

it('reports a quota that cannot be read, but not a cgroup that is gone', async () => {
  const failed: unknown[] = [];
  const failing = (code: string) =>
    new CgroupTreeReader(
      {
        samples: async () => [cgroupSample('/a')],
        sample: () => Promise.reject(Object.assign(new Error(code), { code })),
      },
      { failed: (kind, message, fields) => void failed.push([kind, message, fields?.['cgroup']]) },
    ).read(owners, 5);
  for (const code of ['ENOENT', 'EIO']) expect((await failing(code)).groups).toEqual([{ path: '/a' }]);
  expect(failed).toEqual([['quota', expect.stringContaining('cannot be read'), '/a']]);
});
