import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { ContainerStatus, ResourceRequirements } from '@podwright/kube-types';
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
    ...['exited', 'running'].map(
      (state): [string, ResourceRequirements, RuntimeContainerStatus, ResourceRequirements] => [
        `shows the claims of the spec: ${state}`,
        { ...resources, claims: [{ name: 'gpu' }] },
        live(state),
        { ...resources, claims: [{ name: 'gpu' }] },
      ],
    ),
    [
      'shows live values of a running one',
      resources,
      live('running', { cpuQuota: 50_000n, cpuShares: 256n, memoryLimitInBytes: 1024n }),
      { limits: { cpu: '500m', memory: '1Ki' }, requests: { cpu: '250m', memory: '64Mi' } },
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
    [
      'shows a CPU limit that the spec does not have beside another limit',
      { limits: { memory: '64Mi' } },
      live('running', { cpuQuota: 20_000n }),
      { limits: { memory: '64Mi', cpu: '200m' } },
    ],
    [
      'shows no limits and requests where the spec has none at all',
      {},
      live('running', { cpuQuota: 20_000n, cpuShares: 1024n, memoryLimitInBytes: 1024n }),
      {},
    ],
    [
      'leaves an unlimited CPU as the spec has it',
      { limits: { cpu: '1' } },
      live('running', { cpuQuota: -1n }),
      { limits: { cpu: '1' } },
    ],
    [
      'shows a small live value when the spec has a larger one',
      { limits: { cpu: '11m' }, requests: { cpu: '3m' } },
      live('running', { cpuQuota: 1000n, cpuShares: 2n }),
      { limits: { cpu: '10m' }, requests: { cpu: '2m' } },
    ],
  ])('%s', (_name, spec, record, expected) => {
    const status = containerResourcesStatus({ name: 'a', resources: spec }, record);
    expect(status.resources).toEqual(expected);
    expect(status.allocatedResources).toEqual((spec as ResourceRequirements).requests);
  });

  describe('where the runtime reports nothing', () => {
    const before: ContainerStatus = {
      name: 'a',
      image: 'i',
      imageID: '',
      ready: true,
      restartCount: 0,
      state: { running: {} },
      resources: { limits: { cpu: '700m', memory: '32Mi' }, requests: { cpu: '300m', memory: '16Mi' } },
    };

    it('keeps what was shown while the container ran, and shows the memory request that the runtime was told', () => {
      const show = (actuated?: ResourceRequirements): ResourceRequirements | undefined =>
        containerResourcesStatus({ name: 'a', resources }, live('running'), before, actuated).resources;
      expect(show()).toEqual(before.resources);
      const requests = { cpu: '300m', memory: '8Mi' };
      expect(show({ requests: { cpu: '1', memory: '8Mi' } })).toEqual({ ...before.resources, requests });
    });

    it('shows the spec when it was not running then', () => {
      const waiting = { ...before, state: { waiting: {} } };
      expect(containerResourcesStatus({ name: 'a', resources }, live('running'), waiting).resources).toEqual(resources);
    });

    it('shows the spec when it does not run now', () => {
      expect(containerResourcesStatus({ name: 'a', resources }, live('exited'), before).resources).toEqual(resources);
    });
  });
});
