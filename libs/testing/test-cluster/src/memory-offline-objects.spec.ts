import { describeOfflineObjectsContract } from '@podwright/offline-objects-interface/contract';
import { VirtualClock } from '@podwright/time';
import { MemoryOfflineObjects } from './memory-offline-objects.js';

describeOfflineObjectsContract('MemoryOfflineObjects', async () => {
  const clock = new VirtualClock();
  const offlineObjects = new MemoryOfflineObjects(clock);
  return { offlineObjects, restart: async () => offlineObjects, passTime: (ms) => clock.advance(ms) };
});
