import { CLOCK, LOGGER, RANDOM, defineModule } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { PROBERS, PROBE_MANAGER, PROBE_METRICS, PROBE_RESULTS } from '@podwright/probe-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { ContainerProber } from './container-prober.js';
import { PROBE_METRICS_REGISTRY, ProbeMetrics } from './probe-metrics.js';
import { ProbeResultStore } from './results/probe-result-store.js';
import { WorkerProbeManager } from './worker-probe-manager.js';

export const probeModule = defineModule({
  name: '@podwright/probe',
  provides: [PROBE_MANAGER, PROBE_RESULTS, PROBE_METRICS, PROBE_METRICS_REGISTRY],
  requires: [PROBERS, STATUS_MANAGER, POD_MEMORY, EVENT_RECORDER, CLOCK, RANDOM, LOGGER],
  register: (container) => {
    container.register(PROBE_METRICS_REGISTRY, {
      useFactory: (resolver) => ProbeMetrics.create(resolver.resolve(CLOCK)),
    });
    container.register(PROBE_METRICS, { useToken: PROBE_METRICS_REGISTRY });
    container.registerSingleton(ContainerProber);
    container.registerSingleton(ProbeResultStore);
    container.register(PROBE_RESULTS, { useToken: ProbeResultStore });
    container.registerSingleton(WorkerProbeManager);
    container.register(PROBE_MANAGER, { useToken: WorkerProbeManager });
  },
});
