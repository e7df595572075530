import { ADMISSION_CHECKS } from '@podwright/admission-interface';
import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { NODE_SHUTDOWN_MANAGER } from '@podwright/node-shutdown-interface';
import { gracefulNodeShutdownConfigSchema, type GracefulNodeShutdownConfig } from './graceful-node-shutdown-config.js';
import {
  GracefulNodeShutdown,
  gracefulNodeShutdownNeeds,
  type GracefulNodeShutdownNeeds,
} from './graceful-node-shutdown.js';

export const gracefulNodeShutdownModule = defineModule({
  name: '@podwright/node-shutdown',
  provides: [NODE_SHUTDOWN_MANAGER],
  needs: gracefulNodeShutdownNeeds,
  config: gracefulNodeShutdownConfigSchema,
  create: (deps: GracefulNodeShutdownNeeds, config: GracefulNodeShutdownConfig) =>
    new GracefulNodeShutdown(deps, config),
  contributes: [contribution(ADMISSION_CHECKS, (manager: GracefulNodeShutdown) => [manager.admissionCheck()])],
});

/** Creates one without an assembly. Throws `invalid-argument` for a wrong option and names it. */
export const createGracefulNodeShutdown = factoryOf(gracefulNodeShutdownModule);
