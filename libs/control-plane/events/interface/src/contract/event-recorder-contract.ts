import { describe, expect, it } from '@podwright/contract';
import type { EventObject, EventRecorder } from '../event-recorder.js';
import { podObject } from './contract-events.js';

/** One fresh recorder. */
export interface EventRecorderHarness {
  readonly recorder: EventRecorder;
  /** Stops the recorder; must settle. */
  close(): Promise<void>;
}

/** Every implementation of {@link EventRecorder} passes this suite; `create` gives a new instance per case. */
export function describeEventRecorderContract(name: string, create: () => Promise<EventRecorderHarness>): void {
  describe(`${name} as an EventRecorder`, () => {
    const record = async (harness: EventRecorderHarness, ...objects: readonly EventObject[]): Promise<void> => {
      for (const object of objects) {
        let returned: unknown;
        expect(() => {
          returned = harness.recorder.event(object, 'Normal', 'Started', 'Started container app');
        }).not.toThrow();
        // Not a promise either: no caller would await it, and its rejection would end the process.
        expect(returned).toBeUndefined();
      }
      await harness.close();
    };

    it('takes events about pods, their containers, the node, claims and volumes, and leaves what it is given unchanged', async () => {
      const object = Object.freeze({ metadata: Object.freeze({ name: 'data', namespace: 'contract' }) });
      await record(
        await create(),
        podObject('1'),
        podObject('1', 'spec.containers{app}'),
        Object.freeze({ kind: 'Node' }),
        Object.freeze({ kind: 'PersistentVolumeClaim', object }),
        Object.freeze({ kind: 'PersistentVolume', object: Object.freeze({}) }),
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
