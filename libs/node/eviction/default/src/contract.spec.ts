import { describeEvictionManagerContract } from '@podwright/eviction-interface/contract';
import { EvictionBench } from './fixtures/eviction-bench.js';

describeEvictionManagerContract('ThresholdEvictionManager', async () => {
  const keeps = 5;
  const evictionHard = { 'memory.available': '1Gi', 'nodefs.available': '10%' };
  const bench = new EvictionBench({ evictionHard, keepDecisions: keeps });
  return {
    manager: bench.manager,
    keeps,
    run: ({ name, priority = 0, critical = false, memory, memoryRequest }) => {
      const requests = memoryRequest === undefined ? {} : { requests: { memory: String(memoryRequest) } };
      const containers = [{ name: 'main', image: 'i', resources: requests }];
      bench.runWithMemory(name, memory, { priority, containers }, critical);
    },
    setMemoryAvailable: (bytes) => bench.setMemory(bytes),
    setReadable: (readable) => void (bench.readable = readable),
    killed: () => bench.killed(),
    advance: (ms) => bench.clock.advance(ms),
    pendingTimers: () => bench.clock.pendingTimers,
  };
});
