import { always, list, object, pointer } from '../schema.js';
import { int32, int64, string } from '../scalars.js';
import { labelSelector } from './metadata.js';

// Fields for the scheduler; of these the kubelet only checks required node affinity, at admission.
// Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.

const nodeRequirement = object({ key: always(string), operator: always(string), values: list(string) });
const nodeTerm = object({ matchExpressions: list(nodeRequirement), matchFields: list(nodeRequirement) });
const podTerm = object({
  labelSelector,
  namespaces: list(string),
  topologyKey: always(string),
  namespaceSelector: labelSelector,
  matchLabelKeys: list(string),
  mismatchLabelKeys: list(string),
});
const podTerms = object({
  requiredDuringSchedulingIgnoredDuringExecution: list(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(
    object({ weight: always(int32), podAffinityTerm: always(podTerm) }),
  ),
});

export const affinity = object({
  nodeAffinity: object({
    requiredDuringSchedulingIgnoredDuringExecution: object({ nodeSelectorTerms: always(list(nodeTerm)) }),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      object({ weight: always(int32), preference: always(nodeTerm) }),
    ),
  }),
  podAffinity: podTerms,
  podAntiAffinity: podTerms,
});

export const toleration = object({
  key: string,
  operator: string,
  value: string,
  effect: string,
  tolerationSeconds: pointer(int64),
});

export const topologySpreadConstraint = object({
  maxSkew: always(int32),
  topologyKey: always(string),
  whenUnsatisfiable: always(string),
  labelSelector,
  minDomains: pointer(int32),
  nodeAffinityPolicy: pointer(string),
  nodeTaintsPolicy: pointer(string),
  matchLabelKeys: list(string),
});
