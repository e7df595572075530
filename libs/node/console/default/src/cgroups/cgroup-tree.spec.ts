import { expect, it } from '@jest/globals';
import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { cgroupSample } from '../fixtures/test-node.js';
import { cgroupOwners, CgroupTreeReader } from './cgroup-tree.js';

const id = 'c'.repeat(64);
const pod: Pod = { metadata: { uid: 'a-b', namespace: 'shop', name: 'web' }, spec: { containers: [] } };
const status = { containerStatuses: [{ name: 'main', containerID: `containerd://${id}` }] } as unknown as PodStatus;
const owners = cgroupOwners([{ pod, status }]);

it.each([
  ['/kubepods/burstable/poda-b', `/kubepods/burstable/poda-b/${id}`],
  [
    '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda_b.slice',
    `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda_b.slice/cri-containerd-${id}.scope`,
  ],
])('names the owners of %s', async (ofPod, ofContainer) => {
  const samples = ['/', ofPod, ofContainer].map((path) => cgroupSample(path));
  const { groups } = await new CgroupTreeReader({ samples: async () => samples }).read(owners, 5);
  expect(groups).toEqual([
    { path: '/' },
    { path: ofPod, pod: 'shop/web' },
    { path: ofContainer, pod: 'shop/web', container: 'main' },
  ]);
});

it('shows the share of throttled periods since the last look', async () => {
  let cfs = { periods: 100, throttledPeriods: 50, throttledNs: 0, burstPeriods: 0, burstNs: 0 };
  const sample = (): CgroupSample =>
    cgroupSample('/a', {
      ...{ cpu: { usageNs: 0, usageNanoCores: 7, cfs }, limits: { memoryLimit: 9 } },
      ...{ memory: { workingSet: 8 } as never, processes: { count: 1, threads: 3 } },
    });
  const reader = new CgroupTreeReader({ samples: async () => [sample()] });
  const first = { path: '/a', cpuNanoCores: 7, memoryWorkingSetBytes: 8, memoryLimitBytes: 9, pids: 3 };
  expect(await reader.read(owners, 1)).toEqual({ atMs: 1, groups: [first] });
  cfs = { ...cfs, periods: 120, throttledPeriods: 55 };
  expect((await reader.read(owners, 2)).groups).toEqual([{ ...first, cpuThrottledRatio: 0.25 }]);
  // No period has passed, and then the cgroup was made anew.
  expect((await reader.read(owners, 3)).groups).toEqual([first]);
  cfs = { ...cfs, periods: 1, throttledPeriods: 0 };
  expect((await reader.read(owners, 4)).groups).toEqual([first]);
});
