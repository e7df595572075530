import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { kubeletModules, knownModules } from './modules.js';
import { recordedAssembly } from './recorded-assembly.js';
import { replayedAssembly } from './replay/replayed-assembly.js';

const entries = [
  { name: '@podwright/image-gc', config: { highThresholdPercent: 90, rootDir: '/var/lib', list: ['a'] } },
  { replace: '@podwright/pleg', with: '@podwright/evented-pleg', config: { settleMs: 5, at: '127.0.0.1:80' } },
  { replace: '@podwright/probe', with: './canary-probes.js', config: { token: 'canary' } },
  { add: '@podwright/flight-recorder' },
  { add: 'outside', config: { password: 'canary' } },
  { name: 'outside', config: { password: 'canary' } },
  { omit: '@podwright/log-rotation' },
  { add: '@podwright/local-objects' },
];

describe('the assembly file of a recorded kubelet', () => {
  let dir = '';
  afterEach(() => rm(dir, { recursive: true }));

  it('is kept without places and secrets of outsiders, and replayed as far as it can be', async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'recorded-assembly-'));
    const assemblyFile = path.join(dir, 'assembly.json');
    const header = { apiVersion: 'assembly.podwright.dev/v1alpha1', kind: 'Assembly' };
    await writeFile(assemblyFile, JSON.stringify({ ...header, modules: entries }));
    const assembly = await recordedAssembly({ assemblyFile, modules: kubeletModules, known: knownModules });
    expect(assembly).toEqual([
      { name: '@podwright/image-gc', config: { highThresholdPercent: 90 } },
      { replace: '@podwright/pleg', with: '@podwright/evented-pleg', config: { settleMs: 5 } },
      { replace: '@podwright/probe', with: './canary-probes.js' },
      { add: '@podwright/flight-recorder' },
      { add: 'outside' },
      { name: 'outside' },
      { omit: '@podwright/log-rotation' },
      { add: '@podwright/local-objects' },
    ]);
    expect(replayedAssembly({ assembly })).toEqual({
      changes: [assembly[0], assembly[1], assembly[6], assembly[7]],
      warnings: [
        'runs @podwright/probe, which ./canary-probes.js had replaced in the assembly file',
        'runs without module outside, which the assembly file had added',
      ],
    });
  });

  it('is nothing where there is none, as in recordings of older kubelets', async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'recorded-assembly-'));
    expect(await recordedAssembly({ modules: kubeletModules })).toEqual([]);
    expect(replayedAssembly({})).toEqual({ changes: [], warnings: [] });
  });
});
