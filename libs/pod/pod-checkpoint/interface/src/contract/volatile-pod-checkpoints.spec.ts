import { describePodCheckpointsContract } from './pod-checkpoints-contract.js';
import { VolatilePodCheckpoints } from './volatile-pod-checkpoints.js';

describePodCheckpointsContract('VolatilePodCheckpoints', async () => {
  const podCheckpoints = new VolatilePodCheckpoints();
  let last = podCheckpoints;
  return { podCheckpoints, kill: async () => (last = last.restarted()) };
});
