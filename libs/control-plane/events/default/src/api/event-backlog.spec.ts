import { describe, expect, it } from '@jest/globals';
import type { EventType } from '@podwright/events-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ScriptedApi } from '../fixtures/scripted-api.js';
import { createApiEventRecorder } from './api-event-recorder.module.js';

const options = { nodeName: 'node-1', promptEvents: 2, quietMs: 250, mostDelayMs: 1_000, maxQueued: 20 };

/** A recorder on a node whose other calls never pause, unless `api.lastUrgentCallMs` stays as it is. */
async function busyNode() {
  const clock = new VirtualClock();
  const api = new ScriptedApi(clock);
  const deps = { clock, random: createSeededRandom(1), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
  const recorder = createApiEventRecorder({ client: api, server: api, ...deps }, options);
  await recorder.start();
  const begunAtMs = clock.monotonic();
  const record = (count: number, type: EventType = 'Normal'): void => {
    for (let each = 0; each < count; each += 1)
      recorder.event(
        { kind: 'Pod', pod: { metadata: { name: `web-${each}`, namespace: 'shop', uid: `u${each}` } } },
        type,
        type === 'Normal' ? 'Started' : 'BackOff',
        'text',
      );
  };
  const advance = async (ms: number, { busy }: { readonly busy: boolean }): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      if (busy) api.lastUrgentCallMs = clock.monotonic();
      await clock.advance(50);
    }
  };
  const sent = () => api.calls.map(({ atMs, body }) => [atMs - begunAtMs, body['reason']]);
  return { recorder, api, clock, record, advance, sent };
}

describe('events beyond the prompt ones', () => {
  it('wait until the urgent calls pause', async () => {
    const { recorder, record, advance, sent } = await busyNode();
    await advance(50, { busy: true });
    record(4);
    await advance(500, { busy: true });
    expect(sent()).toEqual([
      [50, 'Started'],
      [50, 'Started'],
    ]);
    await advance(400, { busy: false });
    expect(sent().slice(2)).toEqual([
      [750, 'Started'],
      [750, 'Started'],
    ]);
    await recorder.stop();
  });

  it('wait for a limited time', async () => {
    const { recorder, record, advance, sent } = await busyNode();
    await advance(50, { busy: true });
    record(9);
    await advance(1_500, { busy: true });
    expect(sent().map(([atMs]) => atMs)).toEqual([50, 50, ...Array<number>(7).fill(1_050)]);
    await recorder.stop();
  });

  it('do not wait on a node without other calls', async () => {
    const { recorder, clock, record, sent } = await busyNode();
    record(9);
    await clock.advance(0);
    expect(sent()).toHaveLength(9);
    await recorder.stop();
  });

  it('do not hold up a warning', async () => {
    const { recorder, record, advance, sent } = await busyNode();
    await advance(50, { busy: true });
    record(4);
    await advance(50, { busy: true });
    record(1, 'Warning');
    record(2);
    await advance(100, { busy: true });
    expect(sent().map(([, reason]) => reason)).toEqual(['Started', 'Started', 'BackOff']);
    await recorder.stop();
  });

  it('do not wait where the queue would fill up', async () => {
    const { recorder, record, advance, sent } = await busyNode();
    await advance(50, { busy: true });
    record(18);
    await advance(50, { busy: true });
    expect(sent()).toHaveLength(18 - options.maxQueued / 2);
    await recorder.stop();
  });

  it('are dropped at the stop', async () => {
    const { recorder, clock, record, advance, sent } = await busyNode();
    await advance(50, { busy: true });
    record(5);
    await advance(50, { busy: true });
    await recorder.stop();
    expect([sent().length, clock.pendingTimers]).toEqual([2, 0]);
  });
});
