import type { ObjectMeta, ObjectReference } from '@podwright/kube-types';

/**
 * The object reference of an object of the core group in events, without absent fields. Source: kubernetes v1.36
 * pkg/kubelet/container/ref.go, staging/src/k8s.io/client-go/tools/reference/ref.go.
 */
export function objectReference(kind: string, metadata: ObjectMeta): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: 'v1',
    kind,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}
