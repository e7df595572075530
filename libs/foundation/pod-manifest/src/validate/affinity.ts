import type { PodAffinityTerm, PodSpec } from '@podwright/kube-types';
import { dns1123Label, qualifiedName } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLabelKeys } from './label-keys.js';
import { validateLabelSelector, validateNodeSelectorTerm } from './selectors.js';

export function validateAffinity(spec: PodSpec, errors: FieldErrors): void {
  validateNodeAffinity(spec, errors);
  for (const name of ['podAffinity', 'podAntiAffinity'] as const) {
    const terms = spec.affinity?.[name];
    const field = `spec.affinity.${name}`;
    (terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []).forEach((term, index) => {
      validatePodTerm(term, `${field}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, errors);
    });
    (terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).forEach(({ weight, podAffinityTerm }, index) => {
      const place = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      validateWeight(weight, place, errors);
      validatePodTerm(podAffinityTerm, `${place}.podAffinityTerm`, errors);
    });
  }
}

function validateNodeAffinity(spec: PodSpec, errors: FieldErrors): void {
  const affinity = spec.affinity?.nodeAffinity;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = 'spec.affinity.nodeAffinity';
  if (required !== undefined) {
    const place = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
    if (required.nodeSelectorTerms.length === 0) errors.required(place, 'must have at least one node selector term');
    required.nodeSelectorTerms.forEach((term, index) => validateNodeSelectorTerm(term, `${place}[${index}]`, errors));
  }
  (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).forEach(({ weight, preference }, index) => {
    const place = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
    validateWeight(weight, place, errors);
    validateNodeSelectorTerm(preference, `${place}.preference`, errors, { anyValue: true });
  });
}

function validateWeight(weight: number, field: string, errors: FieldErrors): void {
  if (weight <= 0 || weight > 100) errors.invalid(`${field}.weight`, weight, 'must be in the range 1-100');
}

function validatePodTerm(term: PodAffinityTerm, field: string, errors: FieldErrors): void {
  validateLabelSelector(term.labelSelector, `${field}.labelSelector`, errors);
  validateLabelSelector(term.namespaceSelector, `${field}.namespaceSelector`, errors);
  for (const name of term.namespaces ?? []) errors.rule(`${field}.namespace`, name, dns1123Label(name));
  validateLabelKeys(term, field, errors);
  if (!term.topologyKey) errors.required(`${field}.topologyKey`, 'can not be empty');
  errors.rule(`${field}.topologyKey`, term.topologyKey, qualifiedName(term.topologyKey));
}
