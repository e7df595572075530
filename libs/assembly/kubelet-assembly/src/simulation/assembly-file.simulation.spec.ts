import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { createSimulatedRuntime } from '@podwright/simulated-runtime';
import { createSystemClock, createSystemRandom } from '@podwright/time';
import { assembleSimulatedKubelet, type SimulatedKubeletOptions } from './simulated-kubelet.js';

describe('the simulated kubelet with an assembly file', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'assembly-file-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('has the module that the file puts in the place of another', async () => {
    const assemblyFile = path.join(dir, 'assembly.json');
    const modules = [{ replace: '@podwright/pleg', with: '@podwright/evented-pleg', config: { settleMs: 1000 } }];
    const header = { apiVersion: 'assembly.podwright.dev/v1alpha1', kind: 'Assembly' };
    await writeFile(assemblyFile, JSON.stringify({ ...header, modules }));
    const [clock, random] = [createSystemClock(), createSystemRandom()];
    const cri = createSimulatedRuntime({ clock, random });
    const deps = { dir: path.join(dir, 'node'), cri, clock, random, logger: createMemoryLogger(), nodeName: 'node-1' };
    type Given = Pick<SimulatedKubeletOptions, 'assemblyFile' | 'configuration'>;
    const names = async (given: Given): Promise<readonly string[]> =>
      (await assembleSimulatedKubelet({ ...deps, ...given })).graph().modules.map(({ name }) => name);
    const plegs = (all: readonly string[]): readonly string[] => all.filter((name) => /[/-]pleg$/.test(name));
    expect(plegs(await names({}))).toEqual(['@podwright/evented-pleg']);
    const gates = { featureGates: { EventedPLEG: false } };
    expect(plegs(await names({ configuration: gates }))).toEqual(['@podwright/pleg']);
    expect(plegs(await names({ assemblyFile }))).toEqual(['@podwright/evented-pleg']);
  });
});
