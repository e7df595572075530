import { afterEach, describe, expect, it } from '@podwright/contract';
import type { RuntimeState } from '../runtime-state.js';

export interface RuntimeStateHarness {
  readonly state: RuntimeState;
  /** true: the runtime reports that it is ready from now on; false: it does not answer. */
  setRuntime(up: boolean): void;
  /** Waits, or advances the virtual clock. */
  pass(ms: number): Promise<void>;
}

/** Every {@link RuntimeState} passes this suite: what the sync loop and the node status need of it. */
export function describeRuntimeStateContract(name: string, create: () => RuntimeStateHarness): void {
  describe(`${name} as a RuntimeState`, () => {
    let harness: RuntimeStateHarness | undefined;
    const setUp = (up: boolean): RuntimeStateHarness => {
      harness = create();
      harness.setRuntime(up);
      return harness;
    };
    afterEach(async () => harness?.state.stop());

    it('is not well before the start', () => {
      const { state } = setUp(true);
      expect([state.runtimeErrors().length, state.networkErrors().length]).toEqual([1, 1]);
    });

    it('is well as soon as it has started, and can be stopped twice', async () => {
      const { state } = setUp(true);
      await state.start();
      expect([state.runtimeErrors(), state.networkErrors()]).toEqual([[], []]);
      await Promise.all([state.stop(), state.stop()]);
    });

    it('starts without a runtime, and tells when it comes', async () => {
      const { state, setRuntime, pass } = setUp(false);
      let told = 0;
      await state.start();
      const unwatch = state.watch(() => (told += 1));
      expect(state.runtimeErrors()).toHaveLength(1);
      setRuntime(true);
      await pass(6_000);
      expect(state.runtimeErrors()).toEqual([]);
      expect(told).toBe(1);
      unwatch();
      setRuntime(false);
      await pass(60_000);
      expect(state.runtimeErrors()).toEqual(['container runtime is down']);
      expect(told).toBe(1);
    });

    it('adds what the health checks say, until they are taken back', async () => {
      const { state } = setUp(true);
      await state.start();
      const remove = state.addHealthCheck('PLEG', () => 'too old');
      expect(state.runtimeErrors()).toEqual(['PLEG is not healthy: too old']);
      remove();
      expect(state.runtimeErrors()).toEqual([]);
    });
  });
}
