import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ServerReachability } from '../request/server-reachability.js';
import { ReflectorBackOff } from './reflector-back-off.js';

describe('ReflectorBackOff', () => {
  it('waits no longer than at first once the server answers others again', async () => {
    const clock = new VirtualClock();
    const reachability = new ServerReachability({ server: 'https://192.0.2.1' }, clock, createMemoryLogger());
    const backOff = new ReflectorBackOff(clock, createSeededRandom(1), (listener) => reachability.onBack(listener));
    for (let step = 0; step < 6; step++) backOff.step();
    reachability.unreachable(new Error('refused'));
    let over = false;
    const wait = backOff.wait(new AbortController().signal).then(() => (over = true));
    await clock.advance(20_000);
    expect(over).toBe(false);
    reachability.answered();
    await clock.advance(700);
    expect(over).toBe(false);
    await clock.advance(900);
    expect(over).toBe(true);
    await wait;
    expect(clock.pendingTimers).toBe(0);
    expect(backOff.step()).toBeLessThanOrEqual(3_200);
  });

  it.each(['at once', 'after the server was back'])('ends with its signal, %s', async (when) => {
    const clock = new VirtualClock();
    let back = (): void => undefined;
    const backOff = new ReflectorBackOff(clock, createSeededRandom(1), (listener) => {
      back = listener;
      return () => undefined;
    });
    const stopping = new AbortController();
    const wait = backOff.wait(stopping.signal);
    if (when !== 'at once') back();
    await clock.advance(0);
    stopping.abort();
    await wait;
    expect(clock.pendingTimers).toBe(0);
  });
});
