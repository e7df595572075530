import { defineModule, factoryOf } from '@podwright/assembly-interface';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { StandaloneObjects } from './standalone-objects.js';

export const standaloneSecretsModule = defineModule({
  name: '@podwright/referenced-objects#secrets',
  provides: [SECRET_MANAGER],
  create: () => new StandaloneObjects<Secret>('secret'),
});

export const standaloneConfigMapsModule = defineModule({
  name: '@podwright/referenced-objects#configmaps',
  provides: [CONFIGMAP_MANAGER],
  create: () => new StandaloneObjects<ConfigMap>('configmap'),
});

/** Creates one without an assembly. */
export const createStandaloneSecretManager = factoryOf(standaloneSecretsModule);
/** Creates one without an assembly. */
export const createStandaloneConfigMapManager = factoryOf(standaloneConfigMapsModule);
