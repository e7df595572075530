import { deepEqual, type Container, type Pod, type PodSpec } from '@podwright/kube-types';
import { FieldErrors, type FieldError } from '@podwright/pod-manifest';

const mutableFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/**
 * Validates the update of a pod: the faults for fields that may not change. Its last message lacks the diff that
 * upstream appends. Source: kubernetes v1.36 pkg/apis/core/validation/validation.go ValidatePodUpdate.
 */
export function validatePodUpdate(next: Pod, old: Pod): readonly FieldError[] {
  const errors = new FieldErrors();
  for (const list of ['containers', 'initContainers'] as const) {
    const field = `spec.${list}`;
    if ((next.spec[list] ?? []).length !== (old.spec[list] ?? []).length) {
      errors.forbidden(field, 'pod updates may not add or remove containers');
      return errors.list;
    }
    (next.spec[list] ?? []).forEach((container, index) => {
      if (!container.image) errors.required(`${field}[${index}].image`);
    });
  }
  checkDeadline(next.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds, errors);
  checkTolerations(next.spec, old.spec, errors);
  checkGates(next.spec, old.spec, errors);
  if (!deepEqual(withoutMutable(next.spec, old.spec), withoutMutable(old.spec, old.spec))) {
    errors.forbidden('spec', `pod updates may not change fields other than ${mutableFields}`);
  }
  return errors.list;
}

function withoutMutable(spec: PodSpec, old: PodSpec): unknown {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const gated = (old.schedulingGates ?? []).length > 0;
  const withoutImages = (containers: readonly Container[] = []): unknown =>
    containers.map(({ image: _image, ...container }) => container);
  return {
    ...rest,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
    ...(gated && { nodeSelector: undefined, affinity: undefined }),
    ...((old.terminationGracePeriodSeconds ?? 0) < 0 &&
      spec.terminationGracePeriodSeconds === 1 && { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds }),
  };
}

function checkDeadline(next: number | undefined, old: number | undefined, errors: FieldErrors): void {
  const field = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    if (old !== undefined) errors.invalid(field, null, 'must not update from a positive integer to nil value');
  } else if (old !== undefined && next > old) {
    errors.invalid(field, next, 'must be less than or equal to previous value');
  }
}

function checkTolerations({ tolerations = [] }: PodSpec, old: PodSpec, errors: FieldErrors): void {
  // Only the seconds of existing tolerations may change; new tolerations are allowed.
  const kept = (old.tolerations ?? []).every(({ tolerationSeconds: _seconds, ...wanted }) =>
    tolerations.some(({ tolerationSeconds: _other, ...candidate }) => deepEqual(candidate, wanted)),
  );
  if (!kept)
    errors.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
}

function checkGates({ schedulingGates = [] }: PodSpec, old: PodSpec, errors: FieldErrors): void {
  const known = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  schedulingGates.forEach(({ name }, index) => {
    if (!known.has(name)) {
      errors.forbidden(
        `spec.schedulingGates[${index}].name`,
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      );
    }
  });
}
