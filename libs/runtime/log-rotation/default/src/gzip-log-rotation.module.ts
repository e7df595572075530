import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { LOG_ROTATION } from '@podwright/log-rotation-interface';
import { gzipLogRotationConfigSchema } from './gzip-log-rotation-config.js';
import { GzipLogRotation, logRotationNeeds } from './gzip-log-rotation.js';

export const logRotationModule = defineModule({
  name: '@podwright/log-rotation',
  provides: [LOG_ROTATION],
  needs: logRotationNeeds,
  config: gzipLogRotationConfigSchema,
  create: (deps, config) => new GzipLogRotation(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createGzipLogRotation = factoryOf(logRotationModule);
