import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, PodSpec } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container, sidecar } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  readonly row: string;
  /** First words of what an `exec` probe runs, and that it fails. */
  readonly fails?: readonly string[];
  readonly story: readonly string[];
  readonly killing?: string;
}

const probe = (word: string, initialDelaySeconds = 0) => ({
  exec: { command: [word] },
  periodSeconds: 1,
  failureThreshold: 1,
  initialDelaySeconds,
});
const two = { initContainers: [container('i'), container('j')] };
const never = { restartPolicy: 'Never' } as const;
const beside = (more: Partial<Container> = {}): Partial<PodSpec> => ({ initContainers: [sidecar('s', more)] });
const sidecarFirst = (more: Partial<Container> = {}): Partial<PodSpec> => ({
  initContainers: [sidecar('s', more), container('i')],
});
const changed = { image: 'registry.test/changed:1' };
const nothing = { main: 'none', i: 'none', j: 'none' } as const;

const plain: readonly Row[] = [
  {
    row: 'none | skip: the scan goes on to the next',
    spec: two,
    records: { main: 'none', j: 'none' },
    story: ['start j'],
  },
  {
    row: 'not initialised-before after the whole scan: start index 0',
    spec: two,
    records: nothing,
    story: ['start i'],
  },
  { row: 'any, initialised-before by a regular one | skip', spec: two, records: { j: 'exited 1' }, story: [] },
  {
    row: 'initialised-before: exited regular ones do not count',
    spec: two,
    records: { ...nothing, main: 'exited 1' },
    story: ['start i'],
  },
  {
    row: 'any, initialised-before by a later index | skip',
    spec: two,
    records: { main: 'none', i: 'exited 1', j: 'running' },
    story: [],
  },
  { row: 'created | start again', spec: two, records: { ...nothing, i: 'created' }, story: ['remove i', 'start i'] },
  { row: 'running | wait', spec: two, records: { ...nothing, i: 'running' }, story: [] },
  {
    row: 'exited, failed (exit != 0) | restart decision yes: start',
    spec: two,
    records: { ...nothing, i: 'exited 1' },
    story: ['start i'],
  },
  {
    row: 'exited, failed (reason OOMKilled) | restart decision yes: start',
    spec: two,
    records: { ...nothing, i: 'exited OOMKilled' },
    story: ['start i'],
  },
  {
    row: 'exited, failed | no: kill pod, nothing started',
    spec: { ...two, ...never },
    records: { ...nothing, i: 'exited 1' },
    story: ['stop sandbox'],
  },
  { row: 'exited, ok | last index = initialised', spec: two, records: { main: 'none' }, story: ['start main'] },
  { row: 'exited, ok | else start next index', spec: two, records: { main: 'none', j: 'none' }, story: ['start j'] },
  {
    row: 'unknown | policy Never: kill pod',
    spec: { ...two, ...never },
    records: { ...nothing, i: 'unknown' },
    story: ['stop sandbox'],
  },
  {
    row: 'unknown | own policy Never: kill pod, which starts anew by its own policy',
    spec: { initContainers: [container('i', never)] },
    records: { main: 'none', i: 'unknown' },
    story: ['stop sandbox', 'remove i', 'sandbox 1', 'start i'],
  },
  {
    row: 'unknown | else kill + start',
    spec: two,
    records: { ...nothing, i: 'unknown' },
    story: ['stop i 30', 'start i'],
    killing: 'Init container is in "unknown" state, try killing it before restart',
  },
];

const sidecars: readonly Row[] = [
  { row: 'none | started if initialised-before', spec: beside(), records: { s: 'none' }, story: ['start s'] },
  {
    row: 'none | not started before its turn',
    spec: { initContainers: [container('i'), sidecar('s')] },
    records: { main: 'none', s: 'none', i: 'running' },
    story: [],
  },
  { row: 'created | start again', spec: sidecarFirst(), records: { s: 'created' }, story: ['remove s', 'start s'] },
  {
    row: 'running | has a startup probe: no result or Unknown = wait',
    spec: sidecarFirst({ startupProbe: probe('begin', 600) }),
    before: sidecarFirst(),
    records: { main: 'none', i: 'none' },
    story: [],
  },
  {
    row: 'running | startup Failure = kill + start',
    spec: beside({ startupProbe: probe('begin') }),
    fails: ['begin'],
    story: ['stop s 30', 'start s'],
    killing: 'Init container s failed startup probe',
  },
  {
    row: 'running | counts as done: last index = initialised',
    spec: beside(),
    records: { main: 'none' },
    story: ['start main'],
  },
  {
    row: 'running | otherwise, unless initialised-before, the next index is started',
    spec: sidecarFirst(),
    records: { main: 'none', i: 'none' },
    story: ['start i'],
  },
  { row: 'running | initialised-before: not the next index', spec: sidecarFirst(), records: { i: 'none' }, story: [] },
  {
    row: 'running | then: hash changed -> kill + start',
    before: beside(),
    spec: beside(changed),
    story: ['stop s 30', 'start s'],
    killing: 'Init container s definition changed',
  },
  {
    row: 'running | liveness without result -> wait',
    spec: beside({ livenessProbe: probe('live', 600) }),
    story: [],
  },
  {
    row: 'running | liveness Failure -> kill + start',
    spec: beside({ livenessProbe: probe('live') }),
    fails: ['live'],
    story: ['stop s 30', 'start s'],
    killing: 'Init container s failed liveness probe',
  },
  { row: 'exited, failed | start', spec: sidecarFirst(), records: { s: 'exited 1' }, story: ['start s'] },
  { row: 'exited, ok | start', spec: { ...sidecarFirst(), ...never }, records: { s: 'exited 0' }, story: ['start s'] },
  {
    row: 'unknown | kill + start',
    spec: { ...sidecarFirst(), ...never },
    records: { s: 'unknown' },
    story: ['stop s 30', 'start s'],
    killing: 'Init container is in "unknown" state, try killing it before restart',
  },
  {
    row: 'the start list is run in ascending order',
    spec: { initContainers: [sidecar('s'), sidecar('t'), container('i')] },
    records: { t: 'exited 1', s: 'exited 1' },
    story: ['start s', 'start t'],
  },
];

describe('init containers', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  const walk = async ({ row: _row, story, fails = [], killing, ...remains }: Row): Promise<void> => {
    const fail = ({ answers }: PodScene): void => fails.forEach((word) => void answers.set(word, { exitCode: 1 }));
    scene = await openRemains({ ...remains, meanwhile: fail });
    await scene.pass(2_500);
    expect(scene.story()).toEqual(story);
    if (killing !== undefined) expect(scene.events('Killing')).toContain(`Killing: ${killing}`);
  };
  describe('plain', () => void it.each(plain)('$row', walk));
  describe('sidecar', () => void it.each(sidecars)('$row', walk));
});
