import { createToken } from '@podwright/assembly-interface';
import type { MetricsRegistry } from '@podwright/metrics';

/** The metrics with a series per container: apart from the kubelet's own ones, served as `/metrics/probes`. */
export const PROBE_METRICS = createToken<Pick<MetricsRegistry, 'gather' | 'render'>>('kubelet.probe-metrics/v1');
