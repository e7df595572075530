import { decodeOptions } from '@podwright/assembly-interface';
import type { Admission, AdmissionHandlers, PluginResources } from '@podwright/admission-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { NodeSource } from '@podwright/node-status-interface';
import type { Preemption } from '@podwright/preemption-interface';
import type { Clock } from '@podwright/time';
import { createPluginResources } from './handlers/resource-adjustments.js';
import { createAdmissionHandlers } from './handlers/stage-handlers.js';
import { nodeAdmissionConfigSchema, type NodeAdmissionConfig } from './node-admission-config.js';
import { NodeAdmission } from './node-admission.js';

export interface NodeAdmissionDeps {
  readonly nodes: NodeSource;
  readonly preemption: Preemption;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Default: none join. */
  readonly handlers?: AdmissionHandlers;
  readonly plugins?: PluginResources;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createNodeAdmission(deps: NodeAdmissionDeps, options: Partial<NodeAdmissionConfig> = {}): Admission {
  const { nodes, preemption, clock, logger, metrics } = deps;
  const { handlers = createAdmissionHandlers(), plugins = createPluginResources() } = deps;
  const config = decodeOptions('admission', nodeAdmissionConfigSchema, options);
  return new NodeAdmission(handlers, plugins, nodes, preemption, clock, logger, metrics, config);
}
