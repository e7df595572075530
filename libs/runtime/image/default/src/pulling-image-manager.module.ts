import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { IMAGE_MANAGER, IMAGE_PULL_PROGRESS } from '@podwright/image-interface';
import { SERVER_ROUTES } from '@podwright/server-interface';
import { imagePullsRoutes } from './image-pulls-routes.js';
import { pullingImageManagerConfigSchema } from './pulling-image-manager-config.js';
import { PullingImageManager, pullingImageManagerNeeds } from './pulling-image-manager.js';

export const pullingImageManagerModule = defineModule({
  name: '@podwright/image',
  provides: [IMAGE_MANAGER, IMAGE_PULL_PROGRESS],
  needs: pullingImageManagerNeeds,
  config: pullingImageManagerConfigSchema,
  create: (deps, config) => new PullingImageManager(deps, config),
  contributes: [contribution(SERVER_ROUTES, imagePullsRoutes)],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createPullingImageManager = factoryOf(pullingImageManagerModule);
