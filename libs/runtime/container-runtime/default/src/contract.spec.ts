import { describe } from '@jest/globals';
import {
  describeContainerRuntimeContract,
  describeRuntimeStateContract,
} from '@podwright/container-runtime-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createSimulatedRuntime } from '@podwright/simulated-runtime';
import { VirtualClock } from '@podwright/time';
import { createBench } from './fixtures/bench.js';
import { createRuntimeState } from './state/create-runtime-state.js';

describe('on the simulated runtime', () => {
  describeContainerRuntimeContract('the default container runtime', async () => {
    const clock = new VirtualClock();
    const runtime = createSimulatedRuntime({ clock, writesLogFiles: true });
    runtime.programs.set('stops-slowly:1', { onStop: { afterMs: 1000 } });
    runtime.programs.set('exits-0:1', { exitAfterMs: 10 });
    runtime.programs.set('exits-7:1', { exitAfterMs: 10, exitCode: 7 });
    const images = {
      ensureImageExists: async ({ image }: { image: string }) => ({
        imageRef: (await runtime.pullImage({ image: { image } })).imageRef,
      }),
    };
    const bench = await createBench({ deps: { clock, runtime, imageService: runtime, images } });
    return {
      runtime: bench.runtime,
      program: (program) => ({ image: `${program}:1`, terminationMessagePath: '/dev/termination-log' }),
      pass: (ms) => clock.advance(ms),
      close: async () => {
        await runtime.stop();
        await bench.remove();
      },
    };
  });

  describeRuntimeStateContract('the polled runtime state', () => {
    const clock = new VirtualClock();
    const runtime = createSimulatedRuntime({ clock });
    return {
      state: createRuntimeState({ runtime, clock, logger: createMemoryLogger() }),
      setRuntime: (up) => (up ? runtime.control.comeBack() : runtime.control.goAway()),
      pass: (ms) => clock.advance(ms),
    };
  });
});
