import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { Container, PodSpec } from '@podwright/kube-types';
import type { ProbeResult } from '@podwright/probe-interface';
import { createFakePlan } from '../fixtures/fake-resources.js';
import { container, podWith, record, sidecar, statusWith } from '../fixtures/records.js';
import { computePodActions } from './compute-pod-actions.js';

const [small, large] = ['1', '2'].map((cpu) => ({ resources: { limits: { cpu } } })) as [object, object];
const restart = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
const probe = { exec: { command: ['true'] } };
const running = (...names: readonly string[]): RuntimeContainerStatus[] => names.map((name) => record(name, 'running'));

interface Case {
  readonly title: string;
  readonly spec: Partial<PodSpec>;
  readonly records: readonly RuntimeContainerStatus[];
  readonly resizesInitContainers?: boolean;
  readonly liveness?: ProbeResult;
  readonly cpu?: readonly string[];
  readonly kills?: readonly string[];
  readonly init?: readonly number[];
  readonly start?: readonly number[];
  readonly updatePod?: boolean;
  readonly resizes?: boolean;
}

const resized = (name: string, more: Partial<Container> = {}): Container => container(name, { ...large, ...more });
const resizedSidecar = (name: string, more: Partial<Container> = {}): Container => sidecar(name, { ...large, ...more });

describe('computePodActions, resize', () => {
  it.each<Case>([
    {
      title: 'a regular container in place',
      spec: { containers: [resized('app')] },
      records: running('app'),
      cpu: ['app'],
    },
    {
      title: 'a regular container by a restart',
      spec: { containers: [resized('app', restart)] },
      records: running('app'),
      kills: ['Container app resize requires restart'],
      start: [0],
      updatePod: true,
    },
    {
      title: 'also where the pod never restarts',
      spec: { restartPolicy: 'Never', containers: [resized('app', restart)] },
      records: running('app'),
      kills: ['Container app resize requires restart'],
      start: [0],
      updatePod: true,
    },
    {
      title: 'a failed liveness probe comes first',
      spec: { containers: [resized('app', { ...restart, livenessProbe: probe })] },
      records: running('app'),
      liveness: 'failure',
      kills: ['Container app failed liveness probe, will be restarted'],
      start: [0],
      resizes: false,
    },
    {
      title: 'not a container that does not run',
      spec: { containers: [resized('app')] },
      records: [record('app', 'exited', { exitCode: 1 })],
      start: [0],
      resizes: false,
    },
    {
      title: 'a sidecar in place',
      spec: { initContainers: [resizedSidecar('s')], containers: [container('app', small)] },
      records: running('s', 'app'),
      cpu: ['s'],
    },
    {
      title: 'a sidecar by a restart',
      spec: { initContainers: [resizedSidecar('s', restart)], containers: [container('app', small)] },
      records: running('s', 'app'),
      kills: ['Container s resize requires restart'],
      init: [0],
      updatePod: true,
    },
    {
      title: 'a sidecar before the pod is initialised',
      spec: { initContainers: [resizedSidecar('s'), container('i', small)], containers: [container('app', small)] },
      records: running('i', 's'),
      cpu: ['s'],
    },
    {
      title: 'an init container that runs',
      spec: { initContainers: [resized('i')], containers: [container('app', small)] },
      records: running('i'),
      cpu: ['i'],
    },
    {
      title: 'no init container with its gate off',
      spec: { initContainers: [resized('i')], containers: [container('app', small)] },
      records: running('i'),
      resizesInitContainers: false,
      resizes: false,
    },
    {
      title: 'nothing in a pod that is over',
      spec: { restartPolicy: 'Never', initContainers: [resizedSidecar('s')], containers: [container('app', small)] },
      records: [...running('s'), record('app', 'exited')],
      resizes: false,
    },
  ])(
    '$title',
    ({
      spec,
      records,
      resizesInitContainers = true,
      liveness,
      cpu = [],
      kills = [],
      init = [],
      start = [],
      updatePod = false,
      resizes = true,
    }) => {
      const get = (kind: string): ProbeResult | undefined => (kind === 'liveness' ? liveness : undefined);
      const actions = computePodActions(
        podWith(spec),
        statusWith(records),
        {},
        { get },
        createFakePlan('1', resizesInitContainers),
      );
      expect({
        cpu: actions.resize?.cpu.map((update) => update.container.name) ?? [],
        kills: actions.containersToKill.map(({ message }) => message),
        reasons: actions.containersToKill.map(({ reason }) => reason),
        init: actions.initContainersToStart,
        start: actions.containersToStart,
        updatePod: actions.resize?.updatePod ?? false,
        resizes: actions.resize !== undefined,
      }).toEqual({
        ...{ cpu, kills, init, start, updatePod, resizes },
        reasons: kills.map(() => (liveness === 'failure' ? 'liveness-probe' : 'other')),
      });
    },
  );
});
