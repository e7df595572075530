import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkpointChecksum } from '@podwright/checkpoint';
import { createMemoryLogger } from '@podwright/logging';
import { cpuCheckpointFormats, cpuStateFile } from './cpu-checkpoint.js';
import { CpuStateFile, type ContainerOwner } from './cpu-state-file.js';
import type { CpuState } from './cpu-state.js';

const { v1, v2, v3 } = cpuCheckpointFormats;
const twoContainers = { pod: { container1: '4-6', container2: '1-3' } };

describe('checksums of the state file', () => {
  // Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/state/state_checkpoint_test.go.
  it.each([
    ['nothing', { policyName: 'none', defaultCpuSet: '', entries: {} }, v2, 1353318690],
    ['v2 without entries', { policyName: 'none', defaultCpuSet: '4-6', entries: {} }, v2, 354655845],
    ['v2', { policyName: 'none', defaultCpuSet: '1-3', entries: twoContainers }, v2, 3610638499],
    ['v1 without entries', { policyName: 'none', defaultCpuSet: '1-3', entries: {} }, v1, 1694838852],
    [
      'v1',
      { policyName: 'none', defaultCpuSet: '1-3', entries: { containerID1: '4-6', containerID2: '1-3' } },
      v1,
      3680390589,
    ],
    [
      'v3',
      { policyName: 'none', defaultCpuSet: '1-3', entries: twoContainers, podEntries: { pod: { cpuSet: '4-6' } } },
      v3,
      2649431787,
    ],
    ['another policy', { policyName: 'other', defaultCpuSet: '1-3', entries: {} }, v2, 1394507217],
    ['a list that is none', { policyName: 'none', defaultCpuSet: '1.3', entries: {} }, v2, 3021697696],
    [
      'a list of a container that is none',
      { policyName: 'none', defaultCpuSet: '1-3', entries: { pod: { container1: '4-6', container2: 'asd' } } },
      v2,
      962272150,
    ],
  ])('%s', (_, content, format, checksum) => {
    expect(checkpointChecksum(content, format)).toBe(checksum);
  });
});

describe('CpuStateFile', () => {
  let rootDir: string;
  const owners = new Map([
    ['containerID1', { podUid: 'pod', container: 'container1' }],
    ['containerID2', { podUid: 'pod', container: 'container2' }],
  ]);
  const runtime = async (): Promise<ContainerOwner> => (id) => owners.get(id);
  const file = (policy = 'none', podLevel = false): CpuStateFile =>
    new CpuStateFile({ rootDir, policy, podLevel }, createMemoryLogger(0));
  const put = (content: object): Promise<void> => writeFile(path.join(rootDir, cpuStateFile), JSON.stringify(content));
  const content = async (): Promise<string> => readFile(path.join(rootDir, cpuStateFile), 'utf8');
  const sets = (state: CpuState): unknown =>
    Object.fromEntries([...state.assignments()].map(([pod, containers]) => [pod, Object.fromEntries(containers)]));

  beforeEach(async () => {
    rootDir = await mkdtemp(path.join(tmpdir(), 'cpu-state-'));
  });
  afterEach(() => rm(rootDir, { recursive: true }));

  it('writes a first file, and removes what a kubelet that was killed has left of one', async () => {
    await writeFile(path.join(rootDir, `.${cpuStateFile}.1-1`), '{');
    await file().restore(runtime);
    expect(await readdir(rootDir)).toEqual([cpuStateFile]);
    expect(await content()).toBe('{"policyName":"none","defaultCpuSet":"","checksum":1353318690}');
  });

  it('writes each state once, as upstream reads it, and reads it back', async () => {
    const first = file('static');
    const state = await first.restore(runtime);
    state.setShared([0, 1, 2]);
    state.set('pod', 'c', [3, 4, 6]);
    await first.flushed();
    expect(JSON.parse(await content())).toMatchObject({
      policyName: 'static',
      defaultCpuSet: '0-2',
      entries: { pod: { c: '3-4,6' } },
    });
    const again = await file('static').restore(runtime);
    expect(again.shared).toEqual([0, 1, 2]);
    expect(sets(again)).toEqual({ pod: { c: [3, 4, 6] } });
  });

  it.each([
    ['v2', false, { defaultCpuSet: '1-3', entries: twoContainers, checksum: 3610638499 }],
    ['v2 in the old spelling', false, { defaultCPUSet: '1-3', entries: twoContainers, checksum: 3610638499 }],
    ['v2 without checksum', false, { defaultCpuSet: '1-3', entries: twoContainers, checksum: 0 }],
    ['v2 with the gate', true, { defaultCpuSet: '1-3', entries: twoContainers, checksum: 3610638499 }],
    [
      'v1 through the containers of the runtime',
      false,
      { defaultCpuSet: '1-3', entries: { containerID1: '4-6', containerID2: '1-3' }, checksum: 3680390589 },
    ],
  ])('reads %s', async (_, podLevel, stored) => {
    await put({ policyName: 'none', ...stored });
    const state = await file('none', podLevel).restore(runtime);
    expect(state.shared).toEqual([1, 2, 3]);
    expect(sets(state)).toEqual({ pod: { container1: [4, 5, 6], container2: [1, 2, 3] } });
  });

  it('with the gate keeps the CPUs of whole pods', async () => {
    const stored = { defaultCpuSet: '1-3', entries: twoContainers, podEntries: { pod: { cpuSet: '4-6' } } };
    await put({ policyName: 'none', ...stored, checksum: 2649431787 });
    const first = file('none', true);
    const state = await first.restore(runtime);
    expect(state.ofPod('pod')).toEqual([4, 5, 6]);
    state.setShared([1, 2]);
    await first.flushed();
    expect(JSON.parse(await content())).toMatchObject({ podEntries: { pod: { cpuSet: '4-6' } } });
    await expect(file('none', false).restore(runtime)).rejects.toThrow('could not restore state');
  });

  it.each([
    [
      'another policy',
      { policyName: 'other', defaultCpuSet: '1-3', entries: {}, checksum: 1394507217 },
      'configured policy "none" differs from state checkpoint policy "other"',
    ],
    [
      'a list that is none',
      { policyName: 'none', defaultCpuSet: '1.3', entries: {}, checksum: 3021697696 },
      'could not parse default cpu set "1.3": ',
    ],
    [
      'a list of a container that is none',
      {
        policyName: 'none',
        defaultCpuSet: '1-3',
        entries: { pod: { container1: '4-6', container2: 'asd' } },
        checksum: 962272150,
      },
      'could not parse cpuset "asd" for container "container2" in pod "pod": ',
    ],
    [
      'a wrong checksum',
      { policyName: 'none', defaultCpuSet: '1-3', entries: twoContainers, checksum: 1 },
      /: checkpoint is corrupted: .*: checksum is 1, expected 3610638499, /,
    ],
    ['nothing at all', {}, 'configured policy "none" differs from state checkpoint policy ""'],
    [
      'a container that is gone',
      { policyName: 'none', defaultCpuSet: '1-3', entries: { gone: '4-6' }, checksum: 0 },
      "containerID 'gone' not found in initial containers list",
    ],
  ])('stops at %s and says what to do', async (_, stored, problem) => {
    await put(stored);
    const restored = file().restore(runtime);
    await expect(restored).rejects.toThrow(`could not restore state from checkpoint: `);
    await expect(restored).rejects.toThrow(problem);
    await expect(restored).rejects.toThrow(
      `, please drain this node and delete the CPU manager checkpoint file ${JSON.stringify(path.join(rootDir, cpuStateFile))} before restarting Kubelet`,
    );
  });
});
