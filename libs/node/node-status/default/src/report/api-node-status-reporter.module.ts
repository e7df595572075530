import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { NODE_STATUS_REPORTER } from '@podwright/node-status-interface';
import { ApiNodeStatusReporter } from './api-node-status-reporter.js';
import { nodeStatusReporterNeeds } from './reporter-needs.js';
import { reporterConfigSchema } from './reporter-config.js';

export const nodeStatusReporterModule = defineModule({
  name: '@podwright/node-status#reporter',
  provides: [NODE_STATUS_REPORTER],
  needs: nodeStatusReporterNeeds,
  config: reporterConfigSchema,
  create: (deps, config) => new ApiNodeStatusReporter(deps, config),
});

/** Creates one without an assembly; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createApiNodeStatusReporter = factoryOf(nodeStatusReporterModule);
