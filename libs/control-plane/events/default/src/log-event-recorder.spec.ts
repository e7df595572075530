import { describe, expect, it } from '@jest/globals';
import type { EventObject } from '@podwright/events-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import type { LogEventRecorder } from './log-event-recorder.js';
import type { LogEventRecorderConfig } from './log-event-recorder-config.js';
import { createLogEventRecorder } from './log-event-recorder.module.js';

const pod = (uid: string): EventObject => ({
  kind: 'Pod',
  pod: { metadata: { name: `web-${uid}`, namespace: 'default', uid } },
  fieldPath: 'spec.containers{app}',
});

function setUp(options: Partial<LogEventRecorderConfig> = {}): {
  recorder: LogEventRecorder;
  clock: VirtualClock;
  logger: ReturnType<typeof createMemoryLogger>;
  metrics: ReturnType<typeof createMetricsRegistry>;
} {
  const [clock, logger, metrics] = [new VirtualClock(), createMemoryLogger(), createMetricsRegistry()];
  const recorder = createLogEventRecorder({ clock, logger, metrics }, { nodeName: 'node-1', ...options });
  return { recorder, clock, logger, metrics };
}

describe('LogEventRecorder', () => {
  it('writes one line with the facts of the event', () => {
    const { recorder, logger } = setUp();
    recorder.event(pod('1'), 'Warning', 'Failed', 'Error: ErrImagePull');
    recorder.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
    expect(logger.entries.map(({ message, fields }) => [message, fields])).toEqual([
      [
        'Event occurred',
        {
          logger: 'events',
          object: 'default/web-1',
          fieldPath: 'spec.containers{app}',
          kind: 'Pod',
          type: 'Warning',
          reason: 'Failed',
          message: 'Error: ErrImagePull',
        },
      ],
      [
        'Event occurred',
        expect.objectContaining({ object: 'node-1', fieldPath: '', kind: 'Node', type: 'Normal', reason: 'Starting' }),
      ],
    ]);
  });

  it('keeps a claim and a volume apart from a pod and the node of the same name', () => {
    const { recorder } = setUp();
    const object = { metadata: { name: 'node-1' } };
    for (const kind of ['PersistentVolumeClaim', 'PersistentVolume'] as const)
      recorder.event({ kind, object }, 'Normal', 'Starting', 'text');
    recorder.event({ kind: 'Node' }, 'Normal', 'Starting', 'text');
    expect(recorder.recent()).toMatchObject([
      { kind: 'PersistentVolumeClaim', name: 'node-1', namespace: '', podUid: '', count: 1 },
      { kind: 'PersistentVolume', count: 1 },
      { kind: 'Node', count: 1 },
    ]);
  });

  it('counts a flood and tells it once a minute', async () => {
    const { recorder, clock, logger, metrics } = setUp();
    for (let second = 0; second < 150; second++) {
      recorder.event(pod('1'), 'Warning', 'BackOff', 'Back-off');
      await clock.advance(1000);
    }
    expect(logger.entries.map(({ fields }) => fields.count)).toEqual([undefined, 60, 60]);
    expect(recorder.recent()).toMatchObject([{ reason: 'BackOff', count: 150 }]);
    expect(await metrics.render()).toContain('podwright_events_total{reason="BackOff",type="Warning"} 150');
  });

  it('tells at its stop what it has counted since, and after it everything', async () => {
    const { recorder, logger } = setUp();
    for (let time = 0; time < 3; time++) recorder.event(pod('1'), 'Warning', 'BackOff', 'Back-off');
    await recorder.start();
    await recorder.stop();
    await recorder.stop();
    expect(logger.entries.map(({ fields }) => fields.count)).toEqual([undefined, 2]);
    recorder.event(pod('1'), 'Warning', 'BackOff', 'Back-off');
    expect(logger.entries).toHaveLength(3);
  });

  it('tells what happens to a new container, though the same happened to the one before', () => {
    const { recorder, logger } = setUp();
    const life = ['Pulled', 'Created', 'Started', 'Unhealthy', 'Unhealthy', 'Killing'];
    for (const reason of [...life, ...life]) recorder.event(pod('1'), 'Normal', reason, 'same words');
    expect(logger.entries.map(({ fields }) => [fields.reason, fields.count])).toEqual([
      ['Pulled', undefined],
      ['Created', undefined],
      ['Started', undefined],
      ['Unhealthy', undefined],
      ['Killing', undefined],
      ['Pulled', undefined],
      ['Created', undefined],
      ['Started', undefined],
      ['Unhealthy', 2],
      ['Killing', undefined],
    ]);
    expect(recorder.recent().map(({ reason, count }) => `${reason} x ${count}`)).toContain('Unhealthy x 4');
  });

  it('keeps events of other objects and with other texts apart', () => {
    const { recorder } = setUp();
    recorder.event(pod('1'), 'Normal', 'Pulled', 'a');
    recorder.event(pod('1'), 'Normal', 'Pulled', 'b');
    recorder.event(pod('2'), 'Normal', 'Pulled', 'a');
    expect(recorder.recent().map(({ podUid, message, count }) => [podUid, message, count])).toEqual([
      ['1', 'a', 1],
      ['1', 'b', 1],
      ['2', 'a', 1],
    ]);
  });

  it('remembers the last ones only, oldest first', () => {
    const { recorder } = setUp({ keepRecent: 3 });
    for (const text of ['a', 'b', 'c', 'd', 'e']) recorder.event(pod('1'), 'Normal', 'Pulled', text);
    expect(recorder.recent().map(({ message }) => message)).toEqual(['c', 'd', 'e']);
  });

  it('takes an event that happens again back into the last ones', () => {
    const { recorder } = setUp({ keepRecent: 2 });
    for (const text of ['a', 'b', 'c', 'a']) recorder.event(pod('1'), 'Normal', 'Pulled', text);
    expect(recorder.recent().map(({ message, count }) => [message, count])).toEqual([
      ['c', 1],
      ['a', 2],
    ]);
  });

  it('forgets repetitions past its bound', () => {
    const { recorder, logger } = setUp({ maxCorrelated: 2 });
    for (const text of ['a', 'b', 'c', 'a']) recorder.event(pod('1'), 'Normal', 'Pulled', text);
    expect(logger.entries).toHaveLength(4);
  });
});
