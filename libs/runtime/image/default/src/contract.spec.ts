import { describeImageManagerContract } from '@podwright/image-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VolatilePodMemory } from '@podwright/pod-memory-interface/contract';
import { createSimulatedRuntime } from '@podwright/simulated-runtime';
import { VirtualClock } from '@podwright/time';
import { ScriptedRecords } from './fixtures/scripted-records.js';
import { createPullingImageManager } from './pulling-image-manager.js';

describeImageManagerContract('PullingImageManager', async (events) => {
  const clock = new VirtualClock();
  const images = createSimulatedRuntime({ clock });
  const { faults, store, calls } = images;
  const rpc = 'pullImage';
  return {
    manager: createPullingImageManager({
      images,
      events,
      credentials: { lookup: async () => [] },
      records: new ScriptedRecords(),
      memory: new VolatilePodMemory(),
      clock,
      logger: createMemoryLogger(),
      metrics: createMetricsRegistry(),
    }),
    load: (name) => store.load(name),
    pulls: (behaviour) => {
      faults.clear();
      if (behaviour === 'hang') faults.hang({ rpc });
      if (behaviour === 'fail')
        faults.fail({ rpc }, { code: 'not-found', message: 'no such manifest', times: Infinity });
    },
    failInspections: () => {
      faults.fail({ rpc: 'imageStatus' }, { code: 'unknown', message: 'broken store', times: Infinity });
    },
    pullCount: () => calls.count(rpc),
    pass: (ms) => clock.advance(ms),
  };
});
