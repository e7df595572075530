import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { PROBE_MANAGER, PROBE_RESULTS } from '@podwright/probe-interface';
import { METRICS_PAGES } from '@podwright/server-interface';
import { ContainerProber } from './container-prober.js';
import { ProbeMetrics } from './probe-metrics.js';
import { probeConfig, type ProbeConfig } from './probe-config.js';
import { probeNeeds, type ProbeNeeds } from './probe-needs.js';
import { ProbeResultStore } from './results/probe-result-store.js';
import { WorkerProbeManager } from './worker-probe-manager.js';

export const probeModule = defineModule({
  name: '@podwright/probe',
  provides: { results: PROBE_RESULTS, manager: PROBE_MANAGER },
  needs: probeNeeds,
  config: probeConfig,
  create: (deps: ProbeNeeds, config: ProbeConfig) => {
    const metrics = ProbeMetrics.create();
    const results = new ProbeResultStore(deps);
    const manager = new WorkerProbeManager({ ...deps, prober: new ContainerProber(deps), results, metrics }, config);
    return { metrics, results, manager };
  },
  contributes: [
    contribution(METRICS_PAGES, ({ metrics }: { readonly metrics: ProbeMetrics }) => [
      { name: 'probes', source: metrics },
    ]),
  ],
});

/** Creates the manager without an assembly. `metrics`: the `prober_*` metrics. */
export const createProbeManager = factoryOf(probeModule);
export type ProbeManagerParts = ReturnType<typeof createProbeManager>;
