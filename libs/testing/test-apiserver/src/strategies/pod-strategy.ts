import type { ApiObject } from '@podwright/api-machinery';
import { computeQosClass, type Pod } from '@podwright/kube-types';
import { defaultPod, validatePodCreate } from '@podwright/pod-manifest';
import { withGeneration } from './generic-strategies.js';
import { ephemeralContainersUpdate, resizeUpdate } from './pod-subresource-updates.js';
import { validatePodUpdate } from './pod-update-validation.js';
import type { ResourceStrategy, UpdateStrategy } from './resource-strategy.js';

/** Casts an object to a pod. Before validation, an object from a client may lack a spec. */
export function asPod(object: ApiObject): Pod {
  return object as unknown as Pod;
}

/** Finds pods by their node; those without one by the empty name. */
export function nodesOfPod(object: ApiObject): readonly [string] {
  return [asPod(object).spec.nodeName ?? ''];
}

const podUpdate: UpdateStrategy = {
  prepare: (next, old) => withGeneration({ ...next, status: old.status }, old),
  validate: (next, old) => validatePodUpdate(asPod(next), asPod(old)),
};

const podStatusUpdate: UpdateStrategy = {
  prepare: (next, old) => {
    const { ownerReferences: _owners, ...metadata } = next.metadata;
    const { ownerReferences } = old.metadata;
    const qosClass = (old.status as Pod['status'])?.qosClass;
    const status = next.status as Pod['status'];
    return {
      ...old,
      metadata: { ...metadata, ...(ownerReferences && { ownerReferences }) },
      status: { ...status, ...(status?.qosClass === undefined && qosClass !== undefined && { qosClass }) },
    };
  },
  validate: (next, old) => {
    const after = asPod(next).status?.qosClass;
    if (after === asPod(old).status?.qosClass) return [];
    const field = 'status.qosClass';
    return [
      {
        field,
        type: 'Invalid value',
        message: `${field}: Invalid value: ${JSON.stringify(after)}: field is immutable`,
      },
    ];
  },
};

/** Pods. Source: kubernetes v1.36 pkg/registry/core/pod/strategy.go. */
export const podStrategy: ResourceStrategy = {
  defaults: (object) => {
    const pod = asPod(object);
    // Protobuf and Go cannot tell an empty list from none.
    return defaultPod({
      ...pod,
      spec: { ...pod.spec, containers: pod.spec?.containers ?? [] },
    }) as unknown as ApiObject;
  },
  prepareCreate: (object) => ({
    ...object,
    metadata: { ...object.metadata, generation: 1 },
    status: {
      phase: 'Pending',
      qosClass: computeQosClass(asPod(object)),
      ...gatedCondition(asPod(object)),
    },
  }),
  validateCreate: (object) => validatePodCreate(asPod(object)),
  update: podUpdate,
  subresources: { status: podStatusUpdate, resize: resizeUpdate, ephemeralcontainers: ephemeralContainersUpdate },
  gracePeriodSeconds: (object, asked) => {
    const { spec, status } = asPod(object);
    if (!spec.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
    const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  returnsDeleted: true,
  unconditionalUpdate: true,
};

function gatedCondition({ spec }: Pod): object {
  if ((spec?.schedulingGates ?? []).length === 0) return {};
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  return { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message }] };
}
