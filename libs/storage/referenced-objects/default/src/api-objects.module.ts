import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { configMaps, secrets } from '@podwright/kube-client-interface';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { HOUSEKEEPING_STEPS } from '@podwright/sync-loop-interface';
import { podConfigMapNames, podSecretNames } from './pod-references.js';
import { ReferencedObjects, referencedObjectsNeeds } from './referenced-objects.js';
import type { ReferencedKind, ReferencedObjectsNeeds } from './referenced-objects.js';
import { referencedObjectsConfigSchema, type ReferencedObjectsConfig } from './referenced-objects-config.js';
import { savedObjectsStep } from './saved-objects-step.js';

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
  create: (deps: ReferencedObjectsNeeds, config: ReferencedObjectsConfig) =>
    new ReferencedObjects(deps, secretKind, config),
  contributes: [contribution(HOUSEKEEPING_STEPS, (secrets: ReferencedObjects<Secret>) => [savedObjectsStep(secrets)])],
});

export const apiConfigMapsModule = defineModule({
  name: '@podwright/referenced-objects#configmaps',
  provides: [CONFIGMAP_MANAGER],
  needs: referencedObjectsNeeds,
  config: referencedObjectsConfigSchema,
  create: (deps: ReferencedObjectsNeeds, config: ReferencedObjectsConfig) =>
    new ReferencedObjects(deps, configMapKind, config),
  contributes: [
    contribution(HOUSEKEEPING_STEPS, (configMaps: ReferencedObjects<ConfigMap>) => [savedObjectsStep(configMaps)]),
  ],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createApiSecretManager = factoryOf(apiSecretsModule);
/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createApiConfigMapManager = factoryOf(apiConfigMapsModule);
