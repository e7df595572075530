import type { ApiObject } from '@podwright/api-machinery';
import { deepEqual, type Lease, type Node, type ConfigMap, type Secret } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { statusUpdate } from './generic-strategies.js';
import type { ResourceStrategy } from './resource-strategy.js';

/**
 * Nodes: a creation keeps the status, because the kubelet registers with it. Source: kubernetes v1.36
 * pkg/registry/core/node/strategy.go.
 */
export const nodeStrategy: ResourceStrategy = {
  defaults: (object) => {
    const status = object.status as Node['status'];
    const capacity = status?.capacity;
    return {
      ...object,
      spec: object.spec ?? {},
      status: { ...status, ...(capacity && status.allocatable === undefined && { allocatable: capacity }) },
    };
  },
  update: {
    prepare: (next, old) => ({ ...next, status: old.status }),
    validate: (next, old) => {
      const errors = new FieldErrors();
      const [after, before] = [next.spec as Node['spec'], old.spec as Node['spec']];
      if ((before?.podCIDRs ?? []).length > 0 && !deepEqual(after?.podCIDRs, before?.podCIDRs)) {
        errors.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
      }
      if (before?.providerID && after?.providerID !== before.providerID) {
        errors.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
      }
      return errors.list;
    },
  },
  subresources: {
    status: {
      ...statusUpdate,
      validate: (next) => {
        const errors = new FieldErrors();
        const seen: unknown[] = [];
        ((next.status as Node['status'])?.addresses ?? []).forEach((address, index) => {
          if (seen.some((other) => deepEqual(other, address))) errors.duplicate(`status.addresses[${index}]`, address);
          seen.push(address);
        });
        return errors.list;
      },
    },
  },
  unconditionalUpdate: true,
};

/** Leases: a PUT also creates them. Source: kubernetes v1.36 pkg/apis/coordination/validation/validation.go. */
export const leaseStrategy: ResourceStrategy = {
  createOnUpdate: true,
  validateCreate: validateLease,
  update: { prepare: (next) => next, validate: validateLease },
};

function validateLease(object: ApiObject): readonly FieldErrors['list'][number][] {
  const errors = new FieldErrors();
  const { leaseDurationSeconds, leaseTransitions } = (object.spec ?? {}) as NonNullable<Lease['spec']>;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0');
  }
  return errors.list;
}

/** Namespaces: a finalizer keeps them until their contents are deleted. */
export const namespaceStrategy: ResourceStrategy = {
  prepareCreate: (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name ?? '' },
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  update: { prepare: (next, old) => ({ ...next, spec: old.spec, status: old.status }) },
  subresources: {
    status: statusUpdate,
    finalize: { prepare: (next, old) => ({ ...old, metadata: next.metadata, spec: next.spec }) },
  },
  unconditionalUpdate: true,
};

/** Secrets: `stringData` becomes `data`; the type, and the data of an immutable secret, cannot change. */
export const secretStrategy: ResourceStrategy = {
  defaults: (object) => {
    const { stringData, ...secret } = object as unknown as Secret & ApiObject;
    const data = { ...secret.data, ...base64(stringData) };
    return { ...secret, ...(Object.keys(data).length > 0 && { data }), type: secret.type || 'Opaque' };
  },
  update: { prepare: (next) => next, validate: (next, old) => immutableFaults(next, old, ['data']) },
  unconditionalUpdate: true,
};

export const configMapStrategy: ResourceStrategy = {
  update: { prepare: (next) => next, validate: (next, old) => immutableFaults(next, old, ['data', 'binaryData']) },
  unconditionalUpdate: true,
};

function immutableFaults(
  next: ApiObject,
  old: ApiObject,
  fields: readonly string[],
): readonly FieldErrors['list'][number][] {
  const errors = new FieldErrors();
  const why = 'field is immutable when `immutable` is set';
  if (old.kind === 'Secret' && next.type !== old.type) errors.invalid('type', next.type, 'field is immutable');
  if ((old as unknown as ConfigMap).immutable !== true) return errors.list;
  if (next.immutable !== true) errors.forbidden('immutable', why);
  for (const field of fields) if (!deepEqual(next[field], old[field])) errors.forbidden(field, why);
  return errors.list;
}

function base64(texts: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}
