import type { Node } from '@podwright/kube-types';
import type { AdmissionPlugin } from './admission.js';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * Taints a new node, so that it gets no pods before it is ready. Source: kubernetes v1.36
 * plugin/pkg/admission/nodetaint.
 */
export const admitNodeTaints: AdmissionPlugin = ({ operation, resource, subresource, object }) => {
  if (operation !== 'CREATE' || resource.kind !== 'Node' || subresource !== '' || object === undefined)
    return undefined;
  const spec = (object.spec ?? {}) as NonNullable<Node['spec']>;
  const taints = spec.taints ?? [];
  if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return undefined;
  return { ...object, spec: { ...spec, taints: [...taints, notReady] } };
};
