import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { describePlegContract } from '@podwright/pleg-interface/contract';
import { ScriptedPodRelist } from '@podwright/pod-relist-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createContractHarness } from './fixtures/contract-harness.js';
import type { GenericPleg } from './generic-pleg.js';
import type { GenericPlegConfig } from './generic-pleg-config.js';
import { createGenericPleg } from './generic-pleg.module.js';

interface Setup {
  readonly clock: VirtualClock;
  readonly podRelist: ScriptedPodRelist;
  readonly pleg: GenericPleg;
  readonly metrics: ReturnType<typeof createMetricsRegistry>;
}

function setUp(options: Partial<GenericPlegConfig> = {}): Setup {
  const clock = new VirtualClock();
  const podRelist = new ScriptedPodRelist();
  const metrics = createMetricsRegistry();
  const pleg = createGenericPleg({ podRelist, clock, logger: createMemoryLogger(), metrics }, options);
  return { clock, podRelist, pleg, metrics };
}

describePlegContract('GenericPleg', { relists: true, inspects: true }, createContractHarness);

describe('GenericPleg', () => {
  it('relists at once, then a period after each relist has ended', async () => {
    const { clock, podRelist, pleg } = setUp({ relistPeriodMs: 500 });
    const relist = podRelist.relist.bind(podRelist);
    podRelist.relist = async () => {
      await clock.sleep(200);
      return relist();
    };
    await pleg.start();
    await clock.advance(200);
    expect(podRelist.relists).toEqual(['*']);
    await clock.advance(699);
    expect(podRelist.relists).toEqual(['*']);
    await clock.advance(1);
    expect(podRelist.relists).toEqual(['*', '*']);
    await pleg.stop();
  });

  it('relists one pod at once, unless who asks is patient', async () => {
    const { clock, podRelist, pleg } = setUp();
    pleg.requestRelist('early');
    await pleg.start();
    await clock.advance(500);
    pleg.requestRelist('p');
    pleg.requestRelist('q', { patient: true });
    expect(podRelist.relists).toEqual(['*', 'p']);
    await pleg.stop();
  });

  it('without on-demand relists leaves all requests to the next relist, which only learns whom to inspect', async () => {
    const { clock, podRelist, pleg } = setUp({ onDemandRelist: false });
    const asked: unknown[] = [];
    podRelist.requestRelist = (podUid, options) => void asked.push([podUid, options]);
    await pleg.start();
    await clock.advance(500);
    pleg.requestRelist('p');
    pleg.requestRelist('q', { inspect: true });
    expect(asked).toEqual([['q', { inspect: true, patient: true }]]);
    await pleg.stop();
  });

  it('stops while the runtime does not answer', async () => {
    const { clock, podRelist, pleg } = setUp();
    podRelist.relist = () => new Promise(() => undefined);
    await pleg.start();
    await clock.advance(1500);
    await pleg.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('says how long ago it was active once that is too long', async () => {
    const { clock, podRelist, pleg } = setUp();
    await pleg.start();
    await clock.advance(0);
    podRelist.failing = true;
    await clock.advance(180_000);
    expect(pleg.healthy()).toEqual({ ok: true });
    await clock.advance(5000);
    expect(pleg.healthy()).toEqual({ ok: false, reason: 'pleg was last seen active 3m5s ago; threshold is 3m0s' });
    await pleg.stop();
  });

  it('names the option that is out of range', () => {
    expect(() => setUp({ relistPeriodMs: 0 })).toThrow('relistPeriodMs');
    expect(() => setUp({ relistPeriodMs: 5000, relistThresholdMs: 1000 })).toThrow('relistThresholdMs');
  });
});
