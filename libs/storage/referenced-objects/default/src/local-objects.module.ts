import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { LocalReferencedObjects, localReferencedObjectsNeeds } from './local-referenced-objects.js';
import { podConfigMapNames, podSecretNames } from './pod-references.js';

export const localSecretsModule = defineModule({
  name: '@podwright/referenced-objects#local-secrets',
  provides: [SECRET_MANAGER],
  needs: localReferencedObjectsNeeds,
  create: (deps) => new LocalReferencedObjects(deps, { kind: 'Secret', noun: 'secret', namesOf: podSecretNames }),
});

export const localConfigMapsModule = defineModule({
  name: '@podwright/referenced-objects#local-configmaps',
  provides: [CONFIGMAP_MANAGER],
  needs: localReferencedObjectsNeeds,
  create: (deps) =>
    new LocalReferencedObjects(deps, { kind: 'ConfigMap', noun: 'configmap', namesOf: podConfigMapNames }),
});

/** Creates one without an assembly. */
export const createLocalSecretManager = factoryOf(localSecretsModule);
/** Creates one without an assembly. */
export const createLocalConfigMapManager = factoryOf(localConfigMapsModule);
