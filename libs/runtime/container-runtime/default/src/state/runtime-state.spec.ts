import { describe, expect, it } from '@jest/globals';
import type { RuntimeCondition } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { FakeRuntime } from '../fixtures/fake-runtime.js';
import { createRuntimeState } from './runtime-state.module.js';

const condition = (type: string, status: boolean): RuntimeCondition => ({ type, status, reason: 'R', message: 'm' });
const answer = (conditions: RuntimeCondition[]) => (): object => ({
  status: { conditions },
  info: {},
  runtimeHandlers: [{ name: 'runc', features: undefined }],
  features: { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false },
});
const good = answer([condition('RuntimeReady', true), condition('NetworkReady', true)]);
const down = (): Promise<never> => Promise.reject(new KubeletError('no socket', { code: 'unavailable' }));

function setUp(status: () => unknown) {
  const clock = new VirtualClock();
  const fake = new FakeRuntime({ status });
  const logger = createMemoryLogger();
  const state = createRuntimeState({ runtime: fake.service, clock, logger });
  return { clock, fake, state, logger };
}

describe('runtime state', () => {
  it('is well after the first answer, which start waits for, and polls every 5 s', async () => {
    const { clock, fake, state } = setUp(good);
    expect(state.runtimeErrors()).toEqual(['container runtime status check may not have completed yet']);
    expect(state.networkErrors()).toEqual(['network state unknown']);
    await state.start();
    expect([state.runtimeErrors(), state.networkErrors()]).toEqual([[], []]);
    expect(state.handlers().map(({ name }) => name)).toEqual(['runc']);
    expect(state.features()).toMatchObject({ supplementalGroupsPolicy: true });
    await clock.advance(15_000);
    expect(fake.calls).toHaveLength(4);
    await state.stop();
    await state.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('starts although the runtime is down, asks every 100 ms, logs once per period', async () => {
    const { clock, fake, state, logger } = setUp(down);
    await state.start();
    await clock.advance(950);
    expect(fake.calls).toHaveLength(10);
    expect(logger.messages('error')).toHaveLength(1);
    fake.on('status', good);
    await clock.advance(100);
    expect(state.runtimeErrors()).toEqual([]);
    await state.stop();
  });

  it('looks out of turn when asked to, once for all who ask', async () => {
    const { fake, state, clock } = setUp(good);
    await state.start();
    await Promise.all([state.refresh(), state.refresh()]);
    expect(fake.calls).toHaveLength(2);
    await clock.advance(5_000);
    expect(fake.calls).toHaveLength(3);
    await state.stop();
    await state.refresh();
    expect(fake.calls).toHaveLength(3);
  });

  it('starts although the runtime hangs', async () => {
    const { clock, state } = setUp(() => new Promise(() => undefined));
    const started = state.start();
    await clock.advance(5_000);
    await started;
    expect(state.runtimeErrors()).toEqual(['container runtime status check may not have completed yet']);
    await state.stop();
  });

  it('calls the runtime down 30 s after the last good answer, and tells of it', async () => {
    const { clock, fake, state } = setUp(good);
    const seen: string[][] = [];
    state.watch(() => seen.push([...state.runtimeErrors()]));
    await state.start();
    fake.on('status', down);
    await clock.advance(29_999);
    expect(state.runtimeErrors()).toEqual([]);
    await clock.advance(1);
    expect(state.runtimeErrors()).toEqual(['container runtime is down']);
    await clock.advance(5_000);
    fake.on('status', good);
    await clock.advance(5_000);
    expect(seen).toEqual([[], ['container runtime is down'], []]);
    await state.stop();
  });

  it('repeats what the conditions say', async () => {
    const { clock, fake, state } = setUp(answer([condition('RuntimeReady', true), condition('NetworkReady', false)]));
    await state.start();
    expect([state.runtimeErrors(), state.networkErrors()]).toEqual([
      [],
      ['container runtime network not ready: NetworkReady=false reason:R message:m'],
    ]);
    fake.on('status', answer([condition('RuntimeReady', false)]));
    await clock.advance(5_000);
    expect(state.runtimeErrors()).toEqual(['container runtime not ready: RuntimeReady=false reason:R message:m']);
    expect(state.networkErrors()).toEqual(['container runtime network not ready: <nil>']);
    // Not ready does not count as seen alive.
    await clock.advance(30_000);
    expect(state.runtimeErrors()[0]).toBe('container runtime is down');
    await state.stop();
  });

  it('asks the health checks of others', async () => {
    const { state } = setUp(good);
    await state.start();
    const remove = state.addHealthCheck('PLEG', () => 'pleg was last seen active 4m0s ago; threshold is 3m0s');
    expect(state.runtimeErrors()).toEqual([
      'PLEG is not healthy: pleg was last seen active 4m0s ago; threshold is 3m0s',
    ]);
    remove();
    expect(state.runtimeErrors()).toEqual([]);
    await state.stop();
  });
});
