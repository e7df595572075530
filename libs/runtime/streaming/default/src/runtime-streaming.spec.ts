import 'reflect-metadata'; // tsyringe refuses to load without it
import { describeStreamingContract } from '@podwright/streaming-interface/contract';
import { VirtualClock, createSystemClock, yieldToEventLoop } from '@podwright/time';
import { createMetricsRegistry } from '@podwright/metrics';
import { ClientConnections } from './fixtures/client-connections.js';
import { echo, FakeRuntime, refuse, type Serve } from './fixtures/fake-runtime.js';
import { createRuntimeStreaming } from './runtime-streaming.js';

const behaviours: Readonly<Record<'echo' | 'refuse' | 'hang', Serve>> = {
  echo,
  refuse,
  hang: (socket) => socket.resume(),
};

describeStreamingContract('RuntimeStreaming', async () => {
  const [runtime, connections] = await Promise.all([FakeRuntime.open(), ClientConnections.open()]);
  const clock = new VirtualClock();
  const streaming = createRuntimeStreaming({ ...runtime, clock, metrics: createMetricsRegistry() });
  return {
    streaming,
    connect: (head = '') => connections.connect({ head: Buffer.from(head) }),
    setRuntime: (behaviour) => (runtime.serve = behaviours[behaviour]),
    failNextCall: (code) => runtime.failNextCall(code),
    setCommand: (outcome) => (runtime.command = outcome),
    leftOver: async () => {
      const real = createSystemClock();
      const latest = real.monotonic() + 4_000;
      while (runtime.sockets.size > 0 && real.monotonic() < latest) await yieldToEventLoop();
      return runtime.sockets.size + clock.pendingTimers;
    },
    dispose: async () => {
      await Promise.all([runtime.close(), connections.close()]);
    },
  };
});
