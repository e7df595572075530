import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { ResourceRequirements } from '@podwright/kube-types';
import { containerResourcesStatus } from './container-resources-status.js';

const live = (state: string, linux?: object) =>
  ({
    state,
    cri: {
      resources: linux && {
        linux: { cpuQuota: 0n, cpuPeriod: 100_000n, cpuShares: 0n, memoryLimitInBytes: 0n, ...linux },
      },
    },
  }) as unknown as RuntimeContainerStatus;
const resources: ResourceRequirements = {
  limits: { cpu: '1', memory: '64Mi' },
  requests: { cpu: '500m', memory: '64Mi' },
};

describe('containerResourcesStatus', () => {
  it.each([
    ['shows the spec of a container that does not run', resources, live('exited', { cpuQuota: 5000n }), resources],
    ['shows the spec where the runtime reports nothing', resources, live('running'), resources],
    [
      'shows live values of a running one',
      resources,
      live('running', { cpuQuota: 50_000n, cpuShares: 256n, memoryLimitInBytes: 1024n }),
      { limits: { cpu: '500m', memory: '1024' }, requests: { cpu: '250m', memory: '64Mi' } },
    ],
    [
      'keeps the notation of an equal memory limit',
      resources,
      live('running', { memoryLimitInBytes: 64n << 20n }),
      resources,
    ],
    [
      'does not show the smallest values that cgroups have for smaller ones of the spec',
      { limits: { cpu: '5m' }, requests: { cpu: '1m' } },
      live('running', { cpuQuota: 1000n, cpuShares: 2n }),
      { limits: { cpu: '5m' }, requests: { cpu: '1m' } },
    ],
  ])('%s', (_name, spec, record, expected) => {
    const status = containerResourcesStatus({ name: 'a', resources: spec }, record);
    expect(status.resources).toEqual(expected);
    expect(status.allocatedResources).toEqual(spec.requests);
  });
});
