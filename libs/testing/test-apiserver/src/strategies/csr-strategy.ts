import type { ApiObject } from '@podwright/api-machinery';
import { type CertificateSigningRequest } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { formatRfc3339 } from '@podwright/time';
import type { ResourceStrategy, UpdateStrategy } from './resource-strategy.js';

type Csr = CertificateSigningRequest;

const statusOf = (object: ApiObject): NonNullable<Csr['status']> => (object.status ?? {}) as NonNullable<Csr['status']>;

const decisions = ['Approved', 'Denied', 'Failed'];

const approvalUpdate: UpdateStrategy = {
  // Changes only the conditions; no other endpoint does.
  prepare: (next, old, { server }) => ({
    ...old,
    metadata: next.metadata,
    status: { ...statusOf(old), conditions: stampConditions(next, server.clock.now()) },
  }),
};

const statusUpdate: UpdateStrategy = {
  prepare: (next, old) => ({
    ...old,
    metadata: next.metadata,
    status: {
      ...statusOf(next),
      // A signer may only set the condition `Failed`; it may not approve or deny.
      conditions: [
        ...(statusOf(old).conditions ?? []).filter(({ type }) => type !== 'Failed'),
        ...(statusOf(next).conditions ?? []).filter(({ type }) => type === 'Failed'),
      ],
    },
  }),
};

/**
 * Records the requesting user in each request. Source: kubernetes v1.36
 * pkg/registry/certificates/certificates/strategy.go.
 */
export const csrStrategy: ResourceStrategy = {
  defaults: (object) => {
    const spec = (object.spec ?? {}) as Csr['spec'];
    return { ...object, spec: { ...spec, usages: spec.usages ?? ['digital signature', 'key encipherment'] } };
  },
  prepareCreate: (object, { user }) => ({
    ...object,
    spec: {
      ...(object.spec as Csr['spec']),
      username: user.name,
      groups: user.groups,
      ...(user.uid !== undefined && { uid: user.uid }),
      ...(user.extra && { extra: user.extra }),
    },
    status: {},
  }),
  validateCreate: (object) => {
    const errors = new FieldErrors();
    const { request, signerName, usages = [], expirationSeconds } = object.spec as Csr['spec'];
    if (!request) errors.required('spec.request');
    else if (!/-----BEGIN CERTIFICATE REQUEST-----/.test(Buffer.from(request, 'base64').toString())) {
      errors.invalid('spec.request', request, 'PEM block type must be CERTIFICATE REQUEST');
    }
    if (!signerName) errors.required('spec.signerName');
    if (usages.length === 0) errors.required('spec.usages');
    if (expirationSeconds !== undefined && expirationSeconds < 600) {
      errors.invalid(
        'spec.expirationSeconds',
        expirationSeconds,
        'may not specify a duration less than 600 seconds (10 minutes)',
      );
    }
    return errors.list;
  },
  update: { prepare: (next, old) => ({ ...next, spec: old.spec, status: old.status }) },
  subresources: { approval: approvalUpdate, status: statusUpdate },
};

function stampConditions(next: ApiObject, nowMs: number): unknown {
  const now = formatRfc3339(nowMs);
  return (statusOf(next).conditions ?? []).map((condition) =>
    decisions.includes(condition.type) && condition.lastUpdateTime === undefined
      ? { ...condition, lastUpdateTime: now, lastTransitionTime: condition.lastTransitionTime ?? now }
      : condition,
  );
}
