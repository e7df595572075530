import { describe, expect, it } from '@jest/globals';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { allocationManagerConfigSchema, type AllocationManagerConfig } from './allocation-manager-config.js';
import { resizeInfeasibility } from './resize-feasibility.js';

function podWith(resources: Container['resources'], spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): Pod {
  return {
    metadata: { uid: 'u', annotations: { 'kubernetes.io/config.source': 'api' }, ...metadata },
    spec: { containers: [{ name: 'main', image: 'i', ...(resources && { resources }) }], ...spec },
  };
}

const guaranteed = (cpu: string, memory: string): Pod =>
  podWith({ requests: { cpu, memory }, limits: { cpu, memory } });
const burstable = (memory: string, more: Partial<Container> = {}): Pod =>
  podWith({}, { containers: [{ name: 'main', image: 'i', resources: { requests: { memory } }, ...more }] });
const restart = { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] };
const swap = { swapControllerAvailable: true, memorySwapBehavior: 'LimitedSwap' } as const;
const swapText = 'In-place resize of containers with swap is not supported.';

describe('resizeInfeasibility', () => {
  it.each<[string, Partial<AllocationManagerConfig>, Pod, Pod, string | undefined, string | undefined]>([
    ['lets an ordinary resize pass', {}, burstable('2Gi'), burstable('1Gi'), undefined, undefined],
    [
      'gate off',
      { inPlaceResize: false },
      burstable('2Gi'),
      burstable('1Gi'),
      'InPlacePodVerticalScaling is disabled',
      'feature_gate_off',
    ],
    [
      'lets a resize of a static pod pass',
      {},
      podWith({}, {}, { annotations: { 'kubernetes.io/config.source': 'file' } }),
      burstable('1Gi'),
      undefined,
      undefined,
    ],
    ['container with swap', swap, burstable('2Gi'), burstable('1Gi'), swapText, 'swap_limitation'],
    ['swap, restarted', swap, burstable('2Gi', restart), burstable('1Gi', restart), undefined, undefined],
    ['swap, memory as before', swap, burstable('1Gi'), burstable('1024Mi'), undefined, undefined],
    ['swap, no swap for Guaranteed', swap, guaranteed('1', '2Gi'), guaranteed('1', '1Gi'), undefined, undefined],
    [
      'no swap on the node',
      { memorySwapBehavior: 'LimitedSwap' },
      burstable('2Gi'),
      burstable('1Gi'),
      undefined,
      undefined,
    ],
    [
      'pod level, gate off',
      { podLevelResize: false },
      podWith({}, { resources: { limits: { cpu: '2' } } }),
      podWith({}, { resources: { limits: { cpu: '1' } } }),
      'InPlacePodLevelResourcesVerticalScaling is disabled',
      'plr_feature_gate_off',
    ],
    [
      'Guaranteed, static CPU manager',
      { cpuManagerPolicy: 'static' },
      guaranteed('2', '1Gi'),
      guaranteed('1', '1Gi'),
      'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"',
      'guaranteed_pod_cpu_manager_static_policy',
    ],
    [
      'Guaranteed, static CPU manager, memory alone',
      { cpuManagerPolicy: 'static' },
      guaranteed('1', '2Gi'),
      guaranteed('1', '1Gi'),
      undefined,
      undefined,
    ],
    [
      'Guaranteed, static CPU manager, alpha gate',
      { cpuManagerPolicy: 'static', exclusiveCpuResize: true },
      guaranteed('2', '1Gi'),
      guaranteed('1', '1Gi'),
      undefined,
      undefined,
    ],
    [
      'Guaranteed, static memory manager',
      { memoryManagerPolicy: 'Static' },
      guaranteed('1', '2Gi'),
      guaranteed('1', '1Gi'),
      'Resize is infeasible for Guaranteed Pods alongside Memory Manager policy "Static"',
      'guaranteed_pod_memory_manager_static_policy',
    ],
    [
      'Guaranteed, policies of other managers',
      { cpuManagerPolicy: 'dynamic', memoryManagerPolicy: 'dynamic' },
      guaranteed('2', '2Gi'),
      guaranteed('1', '1Gi'),
      undefined,
      undefined,
    ],
    [
      'Burstable, static managers',
      { cpuManagerPolicy: 'static', memoryManagerPolicy: 'Static' },
      burstable('2Gi'),
      burstable('1Gi'),
      undefined,
      undefined,
    ],
  ])('%s', (_what, options, pod, allocated, message, detail) => {
    const decoded = allocationManagerConfigSchema.decode(options);
    if (!decoded.ok) throw new Error('wrong options');
    const found = resizeInfeasibility({ pod, allocated, config: decoded.value });
    expect(found).toEqual(message === undefined ? undefined : { message, detail });
  });
});
