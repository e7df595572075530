import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus, ResourceRequirements } from '@podwright/kube-types';
import { podLevelStatus } from './pod-level-status.js';

const pod = (phase: string, container: ResourceRequirements, podLevel?: ResourceRequirements): Pod => ({
  metadata: { name: 'web' },
  spec: {
    containers: [{ name: 'app', image: 'app:1', resources: container }],
    ...(podLevel !== undefined && { resources: podLevel }),
  },
  status: { phase },
});
const two = { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '32Mi' } };
const unlimited = { cpuShares: 2, cpuQuotaUs: -1, cpuPeriodUs: 100_000, memoryLimitBytes: -1 };

describe('podLevelStatus', () => {
  it('shows what a pod was allocated until the API server has seen it run', () => {
    expect(podLevelStatus(pod('Pending', two), unlimited, undefined)).toEqual({
      allocatedResources: { cpu: '100m', memory: '16Mi' },
      resources: two,
    });
    expect(podLevelStatus(pod('Pending', {}), unlimited, undefined)).toEqual({ resources: {} });
  });

  it('then shows what its cgroup has', () => {
    const cgroup = { cpuShares: 102, cpuQuotaUs: 20_000, cpuPeriodUs: 100_000, memoryLimitBytes: 33_554_432 };
    expect(podLevelStatus(pod('Running', two), cgroup, undefined)).toEqual({
      allocatedResources: { cpu: '100m', memory: '16Mi' },
      resources: { requests: { cpu: '100m', memory: '16Mi' }, limits: { cpu: '200m', memory: '32Mi' } },
    });
    expect(podLevelStatus(pod('Running', {}), unlimited, undefined)).toEqual({ resources: {} });
  });

  it('keeps the pod-level value below what a cgroup can express', () => {
    const small = { requests: { cpu: '1m' }, limits: { cpu: '5m' } };
    const cgroup = { cpuShares: 2, cpuQuotaUs: 1000, cpuPeriodUs: 100_000 };
    expect(podLevelStatus(pod('Running', {}, small), cgroup, undefined).resources).toEqual(small);
  });

  it('keeps what an earlier status of a running pod had where nothing can be read', () => {
    const before = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } };
    const old: PodStatus = { phase: 'Running', resources: before };
    expect(podLevelStatus(pod('Running', two), {}, old).resources).toEqual(before);
    expect(podLevelStatus(pod('Running', two), {}, { ...old, phase: 'Pending' }).resources).toEqual({
      requests: { memory: '16Mi' },
    });
  });

  it('keeps what the API object has when a kubelet that was restarted knows no earlier status', () => {
    const resources = { requests: { cpu: '100m', memory: '16Mi' }, limits: { cpu: '50m', memory: '32Mi' } };
    const restarted = { ...pod('Running', two), status: { phase: 'Running', resources } };
    const cgroup = { ...unlimited, cpuShares: 102 };
    expect(podLevelStatus(restarted, cgroup, undefined).resources).toEqual(resources);
    expect(podLevelStatus(restarted, cgroup, { phase: 'Running' }).resources).toEqual({
      requests: { cpu: '100m', memory: '16Mi' },
    });
  });
});
