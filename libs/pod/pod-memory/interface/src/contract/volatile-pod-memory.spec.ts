import { describePodMemoryContract } from './pod-memory-contract.js';
import { VolatilePodMemory } from './volatile-pod-memory.js';

describePodMemoryContract('VolatilePodMemory', async () => {
  const podMemory = new VolatilePodMemory();
  let last = podMemory;
  return { podMemory, kill: async () => (last = last.restarted()) };
});
