import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { configMaps, secrets } from '@podwright/kube-client-interface';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { podConfigMapNames, podSecretNames } from './pod-references.js';
import { ReferencedObjects, referencedObjectsNeeds } from './referenced-objects.js';
import type { ReferencedKind } from './referenced-objects.js';
import { referencedObjectsConfigSchema } from './referenced-objects-config.js';

const secretKind: ReferencedKind<Secret> = { resource: secrets, noun: 'secret', namesOf: podSecretNames };
const configMapKind: ReferencedKind<ConfigMap> = {
  resource: configMaps,
  noun: 'configmap',
  namesOf: podConfigMapNames,
};

export const apiSecretsModule = defineModule({
  name: '@podwright/referenced-objects#secrets',
  provides: [SECRET_MANAGER],
  needs: referencedObjectsNeeds,
  config: referencedObjectsConfigSchema,
  create: (deps, config) => new ReferencedObjects(deps, secretKind, config),
});

export const apiConfigMapsModule = defineModule({
  name: '@podwright/referenced-objects#configmaps',
  provides: [CONFIGMAP_MANAGER],
  needs: referencedObjectsNeeds,
  config: referencedObjectsConfigSchema,
  create: (deps, config) => new ReferencedObjects(deps, configMapKind, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createApiSecretManager = factoryOf(apiSecretsModule);
/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createApiConfigMapManager = factoryOf(apiConfigMapsModule);
