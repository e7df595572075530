import type { KubeObject } from '@podwright/kube-client-interface';

/**
 * The object without fields that no pod can see: labels, annotations (the last applied configuration repeats all data)
 * and server metadata. Saves memory, as hundreds of objects are kept.
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
