import { describe } from '@jest/globals';
import { describeCriContract, type CriHarness } from '@podwright/cri-client-interface/contract';
import type { ContractProgram } from '@podwright/cri-client-interface/contract';
import { VirtualClock } from '@podwright/time';
import type { Program } from './program.js';
import { createSimulatedRuntime } from './simulated-runtime.js';
import { missingInContainerd, type SimulatedRuntimeOptions } from './simulated-runtime-options.js';

const speaks = ['speak'];
const hangs = ['hang'];
const exec: Program['exec'] = ([command]) =>
  command === 'speak' ? { stdout: 'out\n', stderr: 'err\n', exitCode: 3 } : { takesMs: 60_000 };

const programs: Record<ContractProgram, Program> = {
  'runs-until-stopped': { exec },
  'ignores-stop': { onStop: 'ignore' },
  'exits-0': { exitAfterMs: 10 },
  'exits-7': { exitAfterMs: 10, exitCode: 7 },
  'runs-out-of-memory': { exitAfterMs: 10, reason: 'OOMKilled' },
};

function harness(options: Partial<SimulatedRuntimeOptions>): CriHarness {
  const clock = new VirtualClock();
  const runtime = createSimulatedRuntime({ clock, pullsAnything: false, ...options });
  runtime.store.publish('registry.test/pulled:1', { pullMs: 300 });
  for (const [name, program] of Object.entries(programs)) {
    runtime.store.load(`local.test/${name}:1`, { pinned: false });
    runtime.programs.set(`local.test/${name}:1`, program);
  }
  let moving = Promise.resolve();
  return {
    runtime,
    images: runtime,
    connection: runtime,
    image: 'local.test/exits-0:1',
    pullable: 'registry.test/pulled:1',
    sandbox: {},
    program: (program) => ({ image: { image: `local.test/${program}:1` } }),
    exec: { speaks, hangs },
    outage: { begin: async () => runtime.control.goAway(), end: async () => runtime.control.comeBack() },
    // The clock goes on for one caller at a time.
    pass: (ms) => (moving = moving.then(() => clock.advance(ms))),
    close: () => runtime.stop(),
  };
}

const capabilities = { containerEvents: true, outage: true, pull: true, outOfMemory: true };

describe('the simulated runtime', () => {
  describeCriContract('simulated', { capabilities, create: async () => harness({}) });
  describeCriContract('simulated without events', {
    capabilities: { ...capabilities, containerEvents: false },
    create: async () => harness({ name: 'old', unimplemented: [...missingInContainerd, 'getContainerEvents'] }),
  });
});
