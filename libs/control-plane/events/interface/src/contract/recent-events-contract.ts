import { describe, expect, it } from '@podwright/contract';
import type { EventRecorder } from '../event-recorder.js';
import type { RecentEvents } from '../recent-events.js';
import { podObject } from './contract-events.js';

/** One fresh recorder that keeps ten events or more. */
export interface RecentEventsHarness {
  readonly recorder: EventRecorder;
  readonly recent: RecentEvents;
  /** Wall-clock milliseconds, as the recorder sees them. */
  now(): number;
  /** Waits, or advances the virtual clock. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Every implementation of {@link RecentEvents} passes this suite; `create` gives a new instance per case. */
export function describeRecentEventsContract(name: string, create: () => Promise<RecentEventsHarness>): void {
  describe(`${name} as RecentEvents`, () => {
    it('gives back what was recorded, oldest first, and nothing before', async () => {
      const { recorder, recent, close } = await create();
      expect(recent.recent()).toEqual([]);
      recorder.event(podObject('1', 'spec.containers{app}'), 'Warning', 'Failed', 'Error: ErrImagePull');
      recorder.event(podObject('2'), 'Normal', 'Killing', 'Stopping container app');
      recorder.event({ kind: 'Node' }, 'Normal', 'Starting', 'Starting kubelet.');
      const pod = { kind: 'Pod', namespace: 'contract', count: 1 };
      expect(recent.recent()).toMatchObject([
        { ...pod, name: 'web-1', podUid: '1', fieldPath: 'spec.containers{app}', type: 'Warning', reason: 'Failed' },
        { ...pod, name: 'web-2', podUid: '2', fieldPath: '', message: 'Stopping container app' },
        { kind: 'Node', namespace: '', podUid: '', fieldPath: '', reason: 'Starting', message: 'Starting kubelet.' },
      ]);
      await close();
    });

    it('counts a repetition in its entry, with the times of the first and the last', async () => {
      const { recorder, recent, now, pass, close } = await create();
      const firstAtMs = now();
      recorder.event(podObject('1'), 'Warning', 'BackOff', 'Back-off');
      await pass(3000);
      recorder.event(podObject('1'), 'Warning', 'BackOff', 'Back-off');
      const [entry, ...others] = recent.recent();
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ reason: 'BackOff', count: 2, lastAtMs: now() });
      expect(entry?.firstAtMs).toBe(firstAtMs);
      await close();
    });

    it('keeps apart what differs in one thing', async () => {
      const { recorder, recent, close } = await create();
      const successor = { name: 'web-1', namespace: 'contract', uid: '2' };
      recorder.event(podObject('1'), 'Normal', 'Pulled', 'a');
      recorder.event({ kind: 'Pod', pod: { metadata: successor } }, 'Normal', 'Pulled', 'a');
      recorder.event(podObject('1', 'spec.containers{app}'), 'Normal', 'Pulled', 'a');
      recorder.event(podObject('1'), 'Warning', 'Pulled', 'a');
      recorder.event(podObject('1'), 'Normal', 'Pulling', 'a');
      recorder.event(podObject('1'), 'Normal', 'Pulled', 'b');
      recorder.event({ kind: 'Node' }, 'Normal', 'Pulled', 'a');
      expect(recent.recent().map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1]);
      await close();
    });

    it('hands out a copy that later events do not change', async () => {
      const { recorder, recent, close } = await create();
      recorder.event(podObject('1'), 'Normal', 'Pulled', 'a');
      const before = recent.recent();
      recorder.event(podObject('1'), 'Normal', 'Pulled', 'a');
      recorder.event(podObject('1'), 'Normal', 'Pulled', 'b');
      expect(before.map(({ count }) => count)).toEqual([1]);
      expect(recent.recent().map(({ count }) => count)).toEqual([2, 1]);
      await close();
    });
  });
}
