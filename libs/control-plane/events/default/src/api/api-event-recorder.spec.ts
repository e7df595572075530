import { describe, expect, it } from '@jest/globals';
import { describeEventRecorderContract, describeRecentEventsContract } from '@podwright/events-interface/contract';
import type { EventObject } from '@podwright/events-interface';
import type { ObjectMeta } from '@podwright/kube-types';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { failure, ScriptedApi } from '../fixtures/scripted-api.js';
import type { ApiEventRecorder } from './api-event-recorder.js';
import type { ApiEventRecorderConfig } from './api-event-recorder-config.js';
import { createApiEventRecorder } from './api-event-recorder.module.js';

interface Harness {
  readonly recorder: ApiEventRecorder;
  readonly api: ScriptedApi;
  readonly clock: VirtualClock;
  readonly logger: MemoryLogger;
}

function harness(options: Partial<ApiEventRecorderConfig> = {}): Harness {
  const [clock, logger] = [new VirtualClock(), createMemoryLogger()];
  const api = new ScriptedApi(clock);
  const deps = {
    client: api,
    server: api,
    clock,
    random: createSeededRandom(1),
    logger,
    metrics: createMetricsRegistry(),
  };
  return { recorder: createApiEventRecorder(deps, { nodeName: 'node-1', ...options }), api, clock, logger };
}

const pod: EventObject = {
  kind: 'Pod',
  pod: { metadata: { name: 'web', namespace: 'shop', uid: 'u1' } },
  fieldPath: 'spec.containers{app}',
};

const started = async (made: Harness): Promise<Harness> => {
  await made.recorder.start();
  return made;
};

describeEventRecorderContract('ApiEventRecorder', async () => {
  const { recorder } = await started(harness());
  return { recorder, close: () => recorder.stop() };
});

describeRecentEventsContract('ApiEventRecorder', async () => {
  const { recorder, clock } = await started(harness());
  return {
    recorder,
    recent: recorder,
    now: () => clock.now(),
    pass: (ms) => clock.advance(ms),
    close: () => recorder.stop(),
  };
});

describe('ApiEventRecorder', () => {
  it('writes annotations where there are any', async () => {
    const { recorder, api, clock } = await started(harness());
    recorder.event(pod, 'Warning', 'Evicted', 'low', { starved_resource: 'memory' });
    recorder.event(pod, 'Warning', 'Evicted', 'limit', {});
    await clock.advance(0);
    expect(api.calls.map(({ body }) => (body['metadata'] as ObjectMeta).annotations)).toEqual([
      { starved_resource: 'memory' },
      undefined,
    ]);
    await recorder.stop();
  });

  it('writes what upstream writes', async () => {
    const { recorder, api, clock } = await started(harness());
    recorder.event(pod, 'Warning', 'Failed', 'Error: ErrImagePull');
    recorder.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
    await clock.advance(0);
    const at = '2026-01-01T00:00:00Z';
    const from = {
      apiVersion: 'v1',
      kind: 'Event',
      source: { component: 'kubelet', host: 'node-1' },
      reportingComponent: 'kubelet',
      reportingInstance: 'node-1',
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
    const nanos = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;
    expect(api.calls).toEqual([
      expect.objectContaining({
        verb: 'create',
        path: '/v1/events',
        options: { budget: 'events', signal: expect.any(AbortSignal) },
        body: {
          ...from,
          metadata: { name: `web.${nanos.toString(16)}`, namespace: 'shop' },
          involvedObject: {
            apiVersion: 'v1',
            kind: 'Pod',
            name: 'web',
            namespace: 'shop',
            uid: 'u1',
            fieldPath: 'spec.containers{app}',
          },
          type: 'Warning',
          reason: 'Failed',
          message: 'Error: ErrImagePull',
        },
      }),
      expect.objectContaining({
        verb: 'create',
        body: {
          ...from,
          // A nanosecond later: no two events share a name.
          metadata: { name: `node-1.${(nanos + 1n).toString(16)}`, namespace: 'default' },
          involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'node-1' },
          type: 'Normal',
          reason: 'Starting',
          message: 'Starting kubelet.',
        },
      }),
    ]);
    await recorder.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('writes events about claims and volumes', async () => {
    const { recorder, api, clock } = await started(harness());
    const claim = { metadata: { name: 'data', namespace: 'shop', uid: 'c1' } };
    recorder.event({ kind: 'PersistentVolumeClaim', object: claim }, 'Normal', 'FileSystemResizeSuccessful', 'done');
    recorder.event({ kind: 'PersistentVolume', object: { metadata: { name: 'pv' } } }, 'Warning', 'Failed', 'no');
    await clock.advance(0);
    expect(api.calls.map(({ body: { metadata, involvedObject } }) => [metadata, involvedObject])).toEqual([
      [
        { name: expect.stringMatching(/^data\./), namespace: 'shop' },
        { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'data', namespace: 'shop', uid: 'c1' },
      ],
      [
        { name: expect.stringMatching(/^pv\./), namespace: 'default' },
        { apiVersion: 'v1', kind: 'PersistentVolume', name: 'pv' },
      ],
    ]);
    await recorder.stop();
  });

  it('gives an event a name of its own when the object has one that events cannot have', async () => {
    const { recorder, api, clock } = await started(harness());
    recorder.event(
      { kind: 'Pod', pod: { metadata: { name: 'x'.repeat(253), namespace: 'a' } } },
      'Normal',
      'Pulled',
      'x',
    );
    await clock.advance(0);
    expect(api.calls[0]?.name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await recorder.stop();
  });

  it('counts a repetition up in the object that is there', async () => {
    const { recorder, api, clock } = await started(harness());
    for (let time = 0; time < 3; time += 1) {
      recorder.event(pod, 'Warning', 'BackOff', 'Back-off');
      await clock.advance(5000);
    }
    expect(api.calls.map(({ verb, body }) => [verb, body['count'], body['lastTimestamp']])).toEqual([
      ['create', 1, '2026-01-01T00:00:00Z'],
      ['patch', 2, '2026-01-01T00:00:05Z'],
      ['patch', 3, '2026-01-01T00:00:10Z'],
    ]);
    expect(new Set(api.calls.map(({ name }) => name)).size).toBe(1);
    expect(api.calls[1]?.body).toEqual({ count: 2, lastTimestamp: '2026-01-01T00:00:05Z', message: 'Back-off' });
    await recorder.stop();
  });

  it('makes the event anew, with its count, when it is gone from the server', async () => {
    const { recorder, api, clock } = await started(harness());
    recorder.event(pod, 'Warning', 'BackOff', 'Back-off');
    await clock.advance(1000);
    api.answer = ({ verb }) => {
      if (verb === 'patch') throw failure(404, 'NotFound');
    };
    recorder.event(pod, 'Warning', 'BackOff', 'Back-off');
    await clock.advance(1000);
    expect(api.calls.map(({ verb }) => verb)).toEqual(['create', 'patch', 'create']);
    expect(api.calls[2]?.body).toMatchObject({ count: 2, firstTimestamp: '2026-01-01T00:00:00Z' });
    expect((api.calls[2]?.body['metadata'] as Record<string, unknown>)['resourceVersion']).toBeUndefined();
    await recorder.stop();
  });

  it('combines events that differ in their message only, from the tenth on', async () => {
    const { recorder, api, clock } = await started(harness());
    for (let number = 1; number <= 12; number += 1) {
      recorder.event(pod, 'Warning', 'FailedMount', `attempt ${number}`);
      await clock.advance(1000);
    }
    expect(api.calls.slice(0, 9).map(({ body }) => body['message'])).toEqual(
      Array.from({ length: 9 }, (_, index) => `attempt ${index + 1}`),
    );
    expect(api.calls.slice(9).map(({ verb, name, body }) => [verb, name, body['count'], body['message']])).toEqual([
      ['create', api.calls[9]?.name, 1, '(combined from similar events): attempt 10'],
      ['patch', api.calls[9]?.name, 2, '(combined from similar events): attempt 11'],
      ['patch', api.calls[9]?.name, 3, '(combined from similar events): attempt 12'],
    ]);
    await clock.advance(600_001);
    recorder.event(pod, 'Warning', 'FailedMount', 'attempt 13');
    await clock.advance(0);
    expect(api.calls.at(-1)?.body['message']).toBe('attempt 13');
    await recorder.stop();
  });

  it('lets 25 events about an object through, then one in five minutes, which carries the count of all', async () => {
    const { recorder, api, clock } = await started(harness());
    for (let time = 0; time < 30; time += 1) recorder.event(pod, 'Warning', 'BackOff', 'Back-off');
    recorder.event(pod, 'Normal', 'Pulled', 'another type is another account');
    await clock.advance(0);
    expect(api.calls).toHaveLength(26);
    await clock.advance(300_000);
    for (let time = 0; time < 2; time += 1) recorder.event(pod, 'Warning', 'BackOff', 'Back-off');
    await clock.advance(0);
    expect(api.calls).toHaveLength(27);
    expect(api.calls.at(-1)?.body['count']).toBe(31);
    await recorder.stop();
  });

  it('tries at once when the server answers others again', async () => {
    const { recorder, api, clock } = await started(harness());
    api.answer = () => {
      throw failure(0);
    };
    recorder.event(pod, 'Normal', 'A', 'a');
    await clock.advance(30_000);
    const before = api.calls.length;
    api.answer = () => undefined;
    api.back();
    await clock.advance(0);
    expect(api.calls).toHaveLength(before + 1);
    await recorder.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('tries 12 times while the server does not answer: first after a random part of 10 s, then every 10 s', async () => {
    const { recorder, api, clock, logger } = await started(harness());
    api.answer = () => {
      throw failure(0);
    };
    recorder.event(pod, 'Normal', 'Pulled', 'a');
    recorder.event(pod, 'Normal', 'Pulled', 'b');
    await clock.advance(110_000);
    const tries = api.calls.filter(({ body }) => body['message'] === 'a').map(({ atMs }) => atMs);
    expect(tries).toHaveLength(12);
    expect(tries[1]).toBeGreaterThan(0);
    expect(tries[1]).toBeLessThan(10_000);
    expect(tries.slice(2).map((at, index) => Math.round(at - (tries[index + 1] ?? 0)))).toEqual(Array(10).fill(10_000));
    expect(logger.messages('error')).toEqual([
      'Unable to write event (may retry after sleeping)',
      'Unable to write event (retry limit exceeded!)',
    ]);
    // The next one waits for its turn and then gets tries of its own.
    api.answer = () => undefined;
    await clock.advance(20_000);
    expect(api.calls.at(-1)?.body['message']).toBe('b');
    expect(logger.messages('info')).toContain('Events are written to the API server again');
    await recorder.stop();
  });

  it.each([
    ['the event is there already', failure(409, 'AlreadyExists'), 5],
    ['its namespace is going away', failure(403, 'Forbidden', [{ reason: 'NamespaceTerminating' }]), 5],
    ['it may not write events', failure(403, 'Forbidden'), 0],
    ['the server is broken', failure(500, 'InternalError'), 0],
  ])('does not try again when %s', async (_name, error, level) => {
    const { recorder, api, clock, logger } = await started(harness());
    api.answer = () => {
      throw error;
    };
    recorder.event(pod, 'Normal', 'Pulled', 'a');
    await clock.advance(600_000);
    expect(api.calls).toHaveLength(1);
    const line = logger.entries.find(({ message }) => message === 'Server rejected event (will not retry!)');
    expect(line).toMatchObject({ severity: level === 0 ? 'error' : 'info', level });
    await recorder.stop();
  });

  it('drops events when too many wait, and says so once', async () => {
    const { recorder, api, clock, logger } = await started(harness({ maxQueued: 5 }));
    api.answer = () => {
      throw failure(0);
    };
    for (let number = 0; number < 20; number += 1) recorder.event(pod, 'Normal', 'Pulled', `${number}`);
    await clock.advance(0);
    expect(logger.messages('error')).toEqual([
      'Unable to record event: too many queued events, dropped event',
      'Unable to write event (may retry after sleeping)',
    ]);
    await recorder.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('sends after its start what happened before it, and nothing after its stop', async () => {
    const { recorder, api, clock } = harness();
    recorder.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
    await clock.advance(0);
    expect(api.calls).toHaveLength(0);
    await recorder.start();
    await clock.advance(0);
    expect(api.calls).toHaveLength(1);
    await recorder.stop();
    recorder.event({ kind: 'Node' }, 'Normal', 'Shutdown', 'x');
    await clock.advance(0);
    expect(api.calls).toHaveLength(1);
  });

  it('writes the newer form of events when asked to', async () => {
    const { recorder, api, clock } = await started(harness({ form: 'events.k8s.io' }));
    const message = `${'x'.repeat(1023)}ü`;
    for (let time = 0; time < 2; time += 1) {
      recorder.event(pod, 'Warning', 'BackOff', message);
      await clock.advance(1000);
    }
    expect(api.calls.map(({ path }) => path)).toEqual(['events.k8s.io/v1/events', 'events.k8s.io/v1/events']);
    expect(api.calls[0]?.body).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'kubelet',
      reportingInstance: 'node-1',
      action: 'BackOff',
      note: 'x'.repeat(1023),
      regarding: { kind: 'Pod', name: 'web' },
    });
    expect(api.calls[1]?.body).toMatchObject({
      series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
    });
    await recorder.stop();
  });
});
