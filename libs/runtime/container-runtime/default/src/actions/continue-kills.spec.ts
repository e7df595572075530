import { describe, expect, it } from '@jest/globals';
import { container, podWith, record, sidecar, statusWith } from '../fixtures/records.js';
import type { ContainerProgress } from '../kill/container-checkpoints.js';
import { continueKills } from './continue-kills.js';
import type { PodActions } from './pod-actions.js';

const pod = podWith({
  initContainers: [sidecar('s'), sidecar('t')],
  containers: [container('a'), container('b', { restartPolicy: 'Never' }), container('c')],
});
const records = [...['s', 't', 'a', 'b'].map((name) => record(name, 'running')), record('c', 'exited')];
const nothing: PodActions = {
  ...{ killPod: false, createSandbox: false, sandboxId: 'sandbox-1', attempt: 0 },
  ...{ initContainersToStart: [], containersToStart: [], ephemeralContainersToStart: [] },
  ...{ containersToKill: [], containersToReset: [], resize: undefined },
};
const killed = (name: string) => {
  return { container: container(name), containerId: `${name}-id`, message: 'computed', reason: 'other' } as const;
};
const reset = (name: string) => ({ container: container(name), record: record(name, 'running') });
const busy: PodActions = {
  ...nothing,
  ...{ initContainersToStart: [1], containersToStart: [2], ephemeralContainersToStart: [0] },
  ...{ containersToKill: [killed('a')], containersToReset: [reset('s')] },
  resize: { cpu: [], memory: [], updatePod: true } as unknown as NonNullable<PodActions['resize']>,
};

const begun = (wholePod = false): ContainerProgress => ({
  kill: { beganAtMs: 0, graceSeconds: 30, message: 'begun', reason: 'liveness-probe', wholePod },
});

interface Row {
  readonly row: string;
  readonly progress: Readonly<Record<string, ContainerProgress>>;
  /** What the sync has computed; default: nothing. */
  readonly computed?: PodActions;
  /** Containers to kill afterwards, `<id> <message>`. */
  readonly kills?: readonly string[];
  /** What else differs from what was computed. */
  readonly expected?: Partial<PodActions>;
}

describe('kills that an earlier process began', () => {
  it.each<Row>([
    { row: 'none', progress: {}, computed: busy, kills: ['a-id computed'] },
    {
      row: 'of sidecars and a container, which are killed and started again in the order of the spec',
      progress: { 't-id': begun(), 's-id': begun(), 'a-id': begun() },
      computed: { ...nothing, initContainersToStart: [1], containersToStart: [2] },
      kills: ['s-id begun', 't-id begun', 'a-id begun'],
      expected: { initContainersToStart: [0, 1], containersToStart: [0, 2] },
    },
    { row: 'of a container that never starts again', progress: { 'b-id': begun() }, kills: ['b-id begun'] },
    {
      row: 'that the sync makes anyway, once',
      progress: { 'a-id': begun(), 's-id': begun() },
      computed: busy,
      kills: ['a-id computed'],
    },
    { row: 'of a container that has ended', progress: { 'c-id': begun(true) } },
    {
      row: 'after a failed hook, which belong to the start',
      progress: { 'a-id': { ...begun(true), postStart: { startedAtMs: 0 } } },
    },
    { row: 'in a pod that is killed', progress: { 'b-id': begun() }, computed: { ...nothing, killPod: true } },
    {
      row: 'of the whole pod, one of several: it replaces everything',
      progress: { 'a-id': begun(), 'b-id': begun(true) },
      computed: busy,
      expected: { ...nothing, killPod: true },
    },
  ])('$row', ({ progress, computed = nothing, kills = [], expected }) => {
    const { containersToKill, ...rest } = continueKills(pod, statusWith(records), computed, (id) => progress[id] ?? {});
    expect({ ...rest, containersToKill: [] }).toEqual({ ...computed, ...expected, containersToKill: [] });
    expect(containersToKill.map(({ containerId, message }) => `${containerId} ${message}`)).toEqual(kills);
    for (const { container: each, containerId, message, reason } of containersToKill) {
      expect([`${each.name}-id`, reason]).toEqual([containerId, message === 'begun' ? 'liveness-probe' : 'other']);
    }
  });
});
