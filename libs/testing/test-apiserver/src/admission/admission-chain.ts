import type { ApiObject } from '@podwright/api-machinery';
import type { ServerContext } from '../registry/server-context.js';
import type { AdmissionPlugin, AdmissionRequest } from './admission.js';
import { admitDefaultTolerations } from './default-tolerations.js';
import { admitNamespaceLifecycle } from './namespace-lifecycle.js';
import { admitNodeTaints } from './node-taints.js';
import { admitPriority } from './priority.js';
import { admitRuntimeClass } from './runtime-class.js';
import { admitServiceAccount } from './service-account.js';
import { admitNodeRestriction } from '../authorization/node-restriction.js';

/** In upstream's order: kubernetes v1.36 pkg/kubeapiserver/options/plugins.go. */
const plugins: readonly AdmissionPlugin[] = [
  admitNamespaceLifecycle,
  admitServiceAccount,
  admitNodeRestriction,
  admitNodeTaints,
  admitPriority,
  admitDefaultTolerations,
  admitRuntimeClass,
];

/**
 * Runs all admission plugins; returns the object that they change, undefined for a deletion. @throws ApiError of the
 * first refusal.
 */
export function admit(request: AdmissionRequest, server: ServerContext): ApiObject | undefined {
  return plugins.reduce<AdmissionRequest>((current, plugin) => {
    const object = plugin(current, server);
    return object === undefined ? current : { ...current, object };
  }, request).object;
}
