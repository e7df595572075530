import { describe, expect, it } from '@jest/globals';
import type { AnyModule } from '@podwright/assembly-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingPass, type HousekeepingStep } from '@podwright/sync-loop-interface';
import { kubeletModules } from './modules.js';

const worker = { orphan: false, fullName: '', restartRequested: false, hasConfig: true, static: false };
// Each set has a UID of its own, so that a step that takes another set is seen.
const pass = (searching: boolean): HousekeepingPass => ({
  desired: [],
  mirrorPods: [],
  searching,
  searchAgain: () => undefined,
  known: new Set(['known']),
  wanted: new Set(['wanted']),
  possiblyRunning: new Set(['running']),
  workers: new Map([
    ['synced', { ...worker, state: 'sync' as const }],
    ['ended', { ...worker, state: 'terminated' as const }],
  ]),
});

/** Runs the step of a module; every method of every role that it needs notes its call. */
async function callsOf(module: AnyModule, searching: boolean): Promise<readonly string[]> {
  const calls: string[] = [];
  const shown = (value: unknown): string => (value instanceof Set ? [...value].join() : String(value));
  const role = new Proxy(
    {},
    {
      get: (_, method) =>
        method === 'podUids'
          ? () => ['wanted', 'left']
          : (...given: readonly unknown[]) => void calls.push(`${String(method)} ${given.map(shown).join()}`.trim()),
    },
  );
  const deps = new Proxy({}, { get: () => role });
  const [contributed] = module.contributes ?? [];
  const [step] = (contributed?.of(module.create(deps, undefined)) ?? []) as readonly HousekeepingStep[];
  await step?.clean(pass(searching));
  return calls;
}

const moduleOf = (name: string): AnyModule => {
  const found = kubeletModules.find((module) => module.name === name);
  if (found?.contributes?.[0]?.token !== HOUSEKEEPING_STEPS) throw new Error(`${name} has no housekeeping step`);
  return found;
};

describe('housekeeping of the kubelet', () => {
  it.each<[string, readonly string[], (readonly string[])?]>([
    ['@podwright/probe#housekeeping', ['cleanupPods synced']],
    ['@podwright/status#housekeeping', ['removeOrphanedStatuses known']],
    ['@podwright/allocation#housekeeping', ['removeOrphans known']],
    ['@podwright/allocation#state-housekeeping', ['removeOrphans wanted']],
    ['@podwright/user-namespace#housekeeping', ['releaseOrphans wanted'], []],
    ['@podwright/volume#housekeeping', ['removeOrphanedPodDirs running'], []],
    ['@podwright/pod-checkpoint#housekeeping', ['remove left']],
    ['@podwright/container-runtime#housekeeping', ['purgeBackOffs']],
  ])('%s keeps what the pass says', async (name, searching, otherwise = searching) => {
    expect(await callsOf(moduleOf(name), true)).toEqual(searching);
    expect(await callsOf(moduleOf(name), false)).toEqual(otherwise);
  });
});
