import { always, list, object, pointer } from '../schema.js';
import { bool, int32, quantities, quantity, string } from '../scalars.js';

// Small types that several parts of a pod share. Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.

/** The name of an object in the pod's namespace; other reference types spread these fields. */
export const localReference = { name: string };
export const localObjectReference = object(localReference);

export const keyToPath = object({ key: always(string), path: always(string), mode: pointer(int32) });

export const objectFieldSelector = object({ apiVersion: string, fieldPath: always(string) });
export const resourceFieldSelector = object({
  containerName: string,
  resource: always(string),
  divisor: always(quantity),
});

export const resourceRequirements = object({
  limits: quantities,
  requests: quantities,
  claims: list(object({ name: always(string), request: string })),
});

export const seLinuxOptions = object({ user: string, role: string, type: string, level: string });
export const windowsOptions = object({
  gmsaCredentialSpecName: pointer(string),
  gmsaCredentialSpec: pointer(string),
  runAsUserName: pointer(string),
  hostProcess: pointer(bool),
});
/** Seccomp and AppArmor have the same shape. */
export const securityProfile = object({ type: always(string), localhostProfile: pointer(string) });
