import { deepEqual } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { statusUpdate } from './generic-strategies.js';
import { podCertificateSpecFaults } from './pod-certificate-spec.js';
import { podCertificateStatusFaults } from './pod-certificate-status.js';
import type { ResourceStrategy } from './resource-strategy.js';

/**
 * Requests of kubelets for certificates of pods: the spec cannot change, and the status changes once. Source: kubernetes
 * v1.36 pkg/registry/certificates/podcertificaterequest/strategy.go.
 */
export const podCertificateRequestStrategy: ResourceStrategy = {
  defaults: (object) => ({ ...object, spec: { maxExpirationSeconds: 86_400, ...(object.spec as object) } }),
  prepareCreate: ({ status: _status, ...object }) => ({ ...object, status: {} }),
  validateCreate: podCertificateSpecFaults,
  update: {
    prepare: (next, old) => ({ ...next, status: old.status }),
    validate: (next, old) => {
      const errors = new FieldErrors();
      if (!deepEqual(next.spec, old.spec)) errors.invalid('spec', next.spec, 'field is immutable');
      return errors.list;
    },
  },
  subresources: {
    status: {
      ...statusUpdate,
      validate: (next, old, { server }) => podCertificateStatusFaults(next, old, server.clock.now()),
    },
  },
};
