import { describeEventRecorderContract, describeRecentEventsContract } from '@podwright/events-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createLogEventRecorder } from './log-event-recorder.js';

const close = async (): Promise<void> => undefined;

describeEventRecorderContract('LogEventRecorder', async () => {
  const deps = { clock: new VirtualClock(), logger: createMemoryLogger(), metrics: createMetricsRegistry() };
  return { recorder: createLogEventRecorder(deps), close };
});

describeRecentEventsContract('LogEventRecorder', async () => {
  const clock = new VirtualClock();
  const deps = { clock, logger: createMemoryLogger(), metrics: createMetricsRegistry() };
  const recorder = createLogEventRecorder(deps);
  return { recorder, recent: recorder, now: () => clock.now(), pass: (ms) => clock.advance(ms), close };
});
