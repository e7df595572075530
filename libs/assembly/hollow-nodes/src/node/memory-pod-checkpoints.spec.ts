import { createMemoryLogger } from '@podwright/logging';
import { describePodCheckpointsContract } from '@podwright/pod-checkpoint-interface/contract';
import { MemoryPodCheckpoints } from './memory-pod-checkpoints.js';

// It belongs to the node, so that a kubelet that ends takes nothing with it.
describePodCheckpointsContract('MemoryPodCheckpoints', async () => {
  const podCheckpoints = new MemoryPodCheckpoints(createMemoryLogger());
  return { podCheckpoints, kill: async () => podCheckpoints };
});
