import { describe, expect, it } from '@jest/globals';
import type { EventObject, EventRecorder } from '../event-recorder.js';
import { podObject } from './contract-events.js';

/** One fresh recorder. */
export interface EventRecorderHarness {
  readonly recorder: EventRecorder;
  /** Ends what the recorder has begun; must settle. */
  close(): Promise<void>;
}

/** Every implementation of {@link EventRecorder} passes this suite; `create` gives a new instance per case. */
export function describeEventRecorderContract(name: string, create: () => Promise<EventRecorderHarness>): void {
  describe(`${name} as an EventRecorder`, () => {
    const record = async (harness: EventRecorderHarness, ...objects: readonly EventObject[]): Promise<void> => {
      for (const object of objects) {
        // Not a promise either: nobody would await it, and its rejection would end the process.
        expect(harness.recorder.event(object, 'Normal', 'Started', 'Started container app')).toBeUndefined();
      }
      await harness.close();
    };

    it('takes events about pods, their containers and the node, and leaves what it is given unchanged', async () => {
      await record(
        await create(),
        podObject('1'),
        podObject('1', 'spec.containers{app}'),
        Object.freeze({ kind: 'Node' }),
      );
    });

    it('takes an object that does not say who it is', async () => {
      await record(
        await create(),
        { kind: 'Pod', pod: { metadata: {} } },
        { kind: 'Pod', pod: { metadata: { name: '' } } },
      );
    });

    it('takes any text', async () => {
      const harness = await create();
      for (const text of ['', 'x'.repeat(100_000), 'line\nline\u0000', '\ud800', '%s {} $(A)']) {
        expect(() => harness.recorder.event(podObject('1'), 'Warning', text, text)).not.toThrow();
      }
      await harness.close();
    });

    it('takes a flood, of one event and of many', async () => {
      const harness = await create();
      for (let index = 0; index < 5000; index++) {
        harness.recorder.event(podObject('1'), 'Warning', 'BackOff', 'Back-off');
        harness.recorder.event(podObject(`${index}`), 'Normal', 'Pulled', `Pulled ${index}`);
      }
      await harness.close();
    });
  });
}
