import { KubeletError } from '@podwright/errors';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { configMirrorAnnotation, dns1123Subdomain } from '@podwright/kube-types';
import { validateAffinity } from './affinity.js';
import { forbidEphemeralContainers, validateContainers } from './containers.js';
import { validateDns, validateHostnames } from './dns.js';
import type { FieldError } from './field-errors.js';
import { FieldErrors } from './field-errors.js';
import { validateFileKeyVolumes } from './file-key-volumes.js';
import { validateLabels, validateObjectMeta } from './metadata.js';
import { validateRange } from './numbers.js';
import { validateHostProcesses, validateOs } from './os-fields.js';
import { validateResourceClaims } from './resource-claims.js';
import { defaultPodRules, type PodRules } from './pod-rules.js';
import { validateProfileAnnotations, validateProfilesMatch } from './profile-annotations.js';
import { validateOverhead, validatePodLevelResources } from './resources.js';
import { validateGates, validateTolerations, validateTopologySpread } from './scheduling.js';
import { validatePodSecurityContext } from './security-context.js';
import { validateVolumes } from './volumes.js';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Validates a pod as the API server does when it is created; returns all faults, none for a valid pod. The pod must be
 * defaulted (`defaultPod`) and have a namespace. Source: kubernetes v1.36 pkg/apis/core/validation/validation.go
 * ValidatePodCreate.
 */
export function validatePodCreate(pod: Pod, rules: PodRules = defaultPodRules): readonly FieldError[] {
  const errors = new FieldErrors();
  validateObjectMeta(pod.metadata, errors);
  validateAnnotations(pod, rules, errors);
  validateProfileAnnotations(pod, errors);
  validatePodSpec(pod.spec, rules, errors);
  validateProfilesMatch(pod, errors);
  return errors.list;
}

/**
 * Validates a pod as {@link validatePodCreate}.
 * @throws KubeletError `invalid-argument` with the message `invalid pod: [fault, fault]`, as upstream logs a bad
 * manifest.
 */
export function assertValidPod(pod: Pod, rules: PodRules = defaultPodRules): void {
  const errors = validatePodCreate(pod, rules);
  if (errors.length === 0) return;
  const messages = errors.map(({ message }) => message);
  const list = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  throw new KubeletError(`invalid pod: ${list ?? ''}`, { code: 'invalid-argument' });
}

function validateAnnotations({ metadata, spec }: Pod, rules: PodRules, errors: FieldErrors): void {
  const { [configMirrorAnnotation]: mirror, [deletionCost]: cost } = metadata.annotations ?? {};
  const field = (name: string): string => `metadata.annotations[${name}]`;
  if (mirror !== undefined && !spec.nodeName) {
    errors.invalid(field(configMirrorAnnotation), mirror, 'must set spec.nodeName if mirror pod annotation is set');
  }
  if (rules.podDeletionCost && cost !== undefined && !isInt32(cost)) {
    errors.invalid(field(deletionCost), cost, 'must be a 32bit integer');
  }
}

// As upstream, no plus sign and no leading zeros, except after a minus sign.
function isInt32(text: string): boolean {
  if (!/^(-\d+|0|[1-9]\d*)$/.test(text)) return false;
  return Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function validatePodSpec(spec: PodSpec, rules: PodRules, errors: FieldErrors): void {
  const volumes = validateVolumes(spec, errors);
  validateResourceClaims(spec, errors);
  validateContainers(spec, { volumes, rules }, errors);
  forbidEphemeralContainers(spec, errors);
  if (rules.podLevelResources) validatePodLevelResources(spec, errors);
  validatePolicies(spec, errors);
  validateDns(spec, rules, errors);
  validateHostnames(spec, rules, errors);
  validateLabels(spec.nodeSelector, 'spec.nodeSelector', errors);
  validatePodSecurityContext(spec, rules, errors);
  validateAffinity(spec, errors);
  validateTolerations(spec, rules, errors);
  validateTopologySpread(spec, rules, errors);
  validateGates(spec, errors);
  validateOverhead(spec, errors);
  validateHostProcesses(spec, errors);
  validateOs(spec, errors);
  validateReferences(spec, errors);
  validateSchedulingGroup(spec, errors);
  validateFileKeyVolumes(spec, errors);
}

function validatePolicies(spec: PodSpec, errors: FieldErrors): void {
  if (!spec.restartPolicy) errors.required('spec.restartPolicy');
  else errors.oneOf('spec.restartPolicy', spec.restartPolicy, ['Always', 'OnFailure', 'Never']);
  errors.oneOf('spec.preemptionPolicy', spec.preemptionPolicy, ['Never', 'PreemptLowerPriority']);
  validateRange(spec.activeDeadlineSeconds, 1, 2 ** 31 - 1, 'spec.activeDeadlineSeconds', errors);
}

function validateSchedulingGroup({ schedulingGroup: group }: PodSpec, errors: FieldErrors): void {
  if (group === undefined) return;
  const field = 'spec.schedulingGroup.podGroupName';
  const { podGroupName: name } = group;
  if (name === undefined) errors.invalid(field, null, 'must specify one of: `podGroupName`');
  else errors.rule(field, name, dns1123Subdomain(name));
}

function validateReferences(spec: PodSpec, errors: FieldErrors): void {
  for (const name of ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName'] as const) {
    const value = spec[name];
    if (value) errors.rule(`spec.${name}`, value, dns1123Subdomain(value));
  }
}
