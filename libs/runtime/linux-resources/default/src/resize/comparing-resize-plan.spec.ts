import { describe, expect, it } from '@jest/globals';
import type { PodResourceState } from '@podwright/allocation-interface';
import type { ContainerUpdate, PodResize } from '@podwright/container-runtime-interface';
import type { PodSpec, ResourceRequirements } from '@podwright/kube-types';
import { container, podWith } from '../fixtures/pods.js';
import { ComparingResizePlan } from './comparing-resize-plan.js';

const all = { podLevelResize: true, initContainerResize: true };

function resources(cpu?: string, memory?: string, memoryRequest?: string): ResourceRequirements {
  return {
    limits: { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) },
    ...(memoryRequest !== undefined && { requests: { memory: memoryRequest } }),
  };
}

const restartFor = (resourceName: string) => ({ resizePolicy: [{ resourceName, restartPolicy: 'RestartContainer' }] });

interface Case {
  readonly granted: Readonly<Record<string, ResourceRequirements>>;
  readonly has?: PodResourceState;
  readonly more?: object;
  readonly spec?: Partial<PodSpec>;
  readonly metadata?: object;
  readonly rules?: typeof all;
}

function plan({ granted, has, more = {}, spec = {}, metadata = {}, rules = all }: Case) {
  const containers = Object.entries(granted).map(([name, each]) => container(name, { resources: each, ...more }));
  const found = new ComparingResizePlan(podWith({ containers, ...spec }, metadata), has, rules);
  const kept = containers.filter((each) => found.keeps(each, `${each.name}-id`)).map(({ name }) => name);
  found.comparePodLevel();
  return { kept, resize: summary(found.result()) };
}

function summary(resize: PodResize | undefined) {
  const names = (updates: readonly ContainerUpdate[]): string => updates.map(({ containerId }) => containerId).join();
  return resize && { ...resize, memory: names(resize.memory), cpu: names(resize.cpu) };
}

const nothing = { memory: '', cpu: '', updatePod: false, updatePodLevel: false };

describe('ResizePlan', () => {
  it.each<[string, Case, string[], ReturnType<typeof summary>]>([
    [
      'nothing differs',
      { granted: { a: resources('1', '1Gi') }, has: { containers: { a: resources('1000m', '1024Mi') } } },
      ['a'],
      undefined,
    ],
    ['no record and no resources', { granted: { a: {} } }, ['a'], undefined],
    [
      'no record: everything is set again',
      { granted: { a: resources('1', '1Gi') } },
      ['a'],
      { ...nothing, memory: 'a-id', cpu: 'a-id' },
    ],
    [
      'more CPU',
      { granted: { a: resources('2') }, has: { containers: { a: resources('1') } } },
      ['a'],
      { ...nothing, cpu: 'a-id' },
    ],
    [
      'another memory request alone',
      { granted: { a: resources('1', '1Gi', '1Gi') }, has: { containers: { a: resources('1', '1Gi', '512Mi') } } },
      ['a'],
      { ...nothing, memory: 'a-id' },
    ],
    [
      'who gets less comes first, each resource by itself',
      {
        granted: { up: resources('2', '1Gi'), down: resources('1', '2Gi') },
        has: { containers: { up: resources('1', '2Gi'), down: resources('2', '1Gi') } },
      },
      ['up', 'down'],
      { ...nothing, memory: 'up-id,down-id', cpu: 'down-id,up-id' },
    ],
    [
      'the policy asks for a restart',
      {
        granted: { a: resources('1', '2Gi') },
        has: { containers: { a: resources('1', '1Gi') } },
        more: restartFor('memory'),
      },
      [],
      { ...nothing, updatePod: true },
    ],
    [
      'the policy asks for a restart, but for the other resource',
      {
        granted: { a: resources('1', '2Gi') },
        has: { containers: { a: resources('1', '1Gi') } },
        more: restartFor('cpu'),
      },
      ['a'],
      { ...nothing, memory: 'a-id' },
    ],
    [
      'a static pod',
      { granted: { a: resources('2') }, metadata: { annotations: { 'kubernetes.io/config.source': 'file' } } },
      ['a'],
      undefined,
    ],
    [
      'another limit of the pod reaches containers without one',
      {
        granted: { own: resources('1', '1Gi'), none: resources() },
        has: { containers: { own: resources('1', '1Gi'), none: {} }, pod: resources('1', '1Gi') },
        spec: { resources: resources('2', '1Gi') },
      },
      ['own', 'none'],
      { ...nothing, cpu: 'none-id', updatePodLevel: true },
    ],
    [
      'the gate for the pod level is off',
      {
        granted: { a: resources() },
        has: { containers: { a: {} }, pod: resources('1') },
        spec: { resources: resources('2') },
        rules: { ...all, podLevelResize: false },
      },
      ['a'],
      undefined,
    ],
  ])('%s', (_what, given, kept, resize) => {
    expect(plan(given)).toEqual({ kept, resize });
  });
});
