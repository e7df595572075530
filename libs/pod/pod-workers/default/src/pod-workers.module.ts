import { defineModule } from '@podwright/assembly-interface';
import { POD_WORKERS } from '@podwright/pod-workers-interface';
import { LanedPodWorkers } from './laned-pod-workers.js';
import { podWorkersConfigSchema } from './pod-workers-config.js';
import { podWorkersNeeds } from './pod-workers-needs.js';

export const podWorkersModule = defineModule({
  name: '@podwright/pod-workers',
  provides: [POD_WORKERS],
  needs: podWorkersNeeds,
  config: podWorkersConfigSchema,
  create: (deps, config) => new LanedPodWorkers(deps, config),
});
