import type { KubeObject } from '@podwright/kube-client-interface';

/**
 * The object without what no pod can see of it: labels, annotations (the last applied configuration holds all data once
 * more) and the bookkeeping of the API server. Hundreds of them stay in memory.
 */
export function slimObject<T extends KubeObject>(object: T): T {
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  const metadata = {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return { ...object, metadata };
}
