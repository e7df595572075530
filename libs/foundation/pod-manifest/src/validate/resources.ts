import type { Container, PodSpec, Quantity, ResourceList, ResourceRequirements } from '@podwright/kube-types';
import {
  formatQuantity,
  isExtendedResource,
  isHugePageResource,
  isNativeResource,
  isPodLevelResource,
  podRequests,
  qualifiedName,
  quantityFormatMessage,
  tryParseQuantity,
} from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

const standardResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Whether the request may be lower than the limit: not for huge pages and extended resources, such as devices. */
function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePageResource(name);
}

/** Validates a container's resources. `claimNames` are the names in `spec.resourceClaims`. */
export function validateContainerResources(
  container: Pick<Container, 'resources'>,
  path: string,
  claimNames: ReadonlySet<string>,
  errors: FieldErrors,
): void {
  const resources = container.resources ?? {};
  const field = `${path}.resources`;
  validateRequirements(resources, field, validateContainerResourceName, errors);
  const seen = new Set<string>();
  (resources.claims ?? []).forEach((claim, index) => {
    const place = `${field}.claims[${index}]`;
    if (!claim.name) return errors.required(`${place}.name`);
    const key = claim.request ? `${claim.name}/${claim.request}` : claim.name;
    if (seen.has(key)) errors.duplicate(place, key);
    seen.add(key);
    if (!claimNames.has(claim.name)) errors.notFound(`${place}.name`, claim.name);
    return undefined;
  });
}

/**
 * Validates pod-level `spec.resources`: CPU, memory and huge pages, not less than the containers' requests together.
 */
export function validatePodLevelResources(spec: PodSpec, errors: FieldErrors): void {
  const { resources } = spec;
  if (resources === undefined) return;
  if ((resources.claims ?? []).length > 0)
    errors.forbidden('spec.resources.claims', 'claims may not be set for Resources at pod-level');
  const before = errors.list.length;
  validateRequirements(resources, 'spec.resources', validatePodLevelResourceName, errors);
  if (errors.list.length > before || !hasValidContainerQuantities(spec)) return;
  const sums = podRequests({ metadata: {}, spec }, { excludeOverhead: true, skipPodLevel: true });
  for (const [name, sum] of Object.entries(sums)) {
    const request = tryParseQuantity(resources.requests?.[name] ?? '');
    if (request === undefined || sum.nano <= request.nano) continue;
    errors.invalid(
      `spec.resources.requests[${name}]`,
      formatQuantity(request),
      `must be greater than or equal to aggregate container requests of ${formatQuantity(sum)}`,
    );
  }
  validateContainerLimits(spec, resources.limits ?? {}, errors);
}

/** No container may have more than its pod. */
function validateContainerLimits(spec: PodSpec, ofPod: Readonly<Record<string, string>>, errors: FieldErrors): void {
  for (const [index, { resources }] of spec.containers.entries()) {
    for (const [name, text] of Object.entries(resources?.limits ?? {})) {
      const [limit, most] = [tryParseQuantity(text), tryParseQuantity(ofPod[name] ?? '')];
      if (limit === undefined || most === undefined || limit.nano <= most.nano) continue;
      const detail = `must be less than or equal to pod limits of ${formatQuantity(most)}`;
      errors.invalid(`spec.resources.containers[${index}][${name}].limits`, formatQuantity(limit), detail);
    }
  }
}

function hasValidContainerQuantities(spec: PodSpec): boolean {
  return [...spec.containers, ...(spec.initContainers ?? [])].every((container) =>
    Object.values(container.resources?.requests ?? {}).every((text) => tryParseQuantity(text) !== undefined),
  );
}

type NameCheck = (name: string, field: string, errors: FieldErrors) => void;

function validateRequirements(
  { limits, requests }: ResourceRequirements,
  field: string,
  checkName: NameCheck,
  errors: FieldErrors,
): void {
  const limitValues = validateResourceList(limits, `${field}.limits`, checkName, errors);
  const requestValues = validateResourceList(requests, `${field}.requests`, checkName, errors);
  for (const [name, request] of requestValues) {
    const limit = limitValues.get(name);
    if (limit === undefined) {
      if (!isOvercommitAllowed(name))
        errors.required(`${field}.limits`, 'Limit must be set for non overcommitable resources');
    } else if (request.nano !== limit.nano && !isOvercommitAllowed(name)) {
      errors.invalid(
        `${field}.requests`,
        formatQuantity(request),
        `must be equal to ${name} limit of ${formatQuantity(limit)}`,
      );
    } else if (request.nano > limit.nano) {
      errors.invalid(
        `${field}.requests`,
        formatQuantity(request),
        `must be less than or equal to ${name} limit of ${formatQuantity(limit)}`,
      );
    }
  }
  const names = [...limitValues.keys(), ...requestValues.keys()];
  if (names.some(isHugePageResource) && !names.includes('cpu') && !names.includes('memory')) {
    errors.forbidden(field, 'HugePages require cpu or memory');
  }
}

/** Validates the names and values of a resource list; returns the values that are quantities. */
export function validateResourceList(
  list: ResourceList | undefined,
  field: string,
  checkName: NameCheck,
  errors: FieldErrors,
): ReadonlyMap<string, Quantity> {
  const values = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(list ?? {})) {
    const place = `${field}[${name}]`;
    checkName(name, place, errors);
    const quantity = tryParseQuantity(text);
    if (quantity === undefined) {
      errors.invalid(place, text, quantityFormatMessage);
      continue;
    }
    values.set(name, quantity);
    if (quantity.nano < 0n) errors.invalid(place, text, 'must be greater than or equal to 0');
    if (isExtendedResource(name) && quantity.nano % 1_000_000_000n !== 0n)
      errors.invalid(place, text, 'must be an integer');
    if (isHugePageResource(name)) validatePageMultiple(name, quantity, place, errors);
  }
  return values;
}

function validatePageMultiple(name: string, quantity: Quantity, field: string, errors: FieldErrors): void {
  const page = tryParseQuantity(name.slice('hugepages-'.length));
  if (page === undefined || page.nano <= 0n) return errors.invalid(field, name, quantityFormatMessage);
  if (quantity.nano % page.nano === 0n) return undefined;
  return errors.invalid(field, formatQuantity(quantity), `must be a multiple of ${formatQuantity(page)}`);
}

function validateContainerResourceName(name: string, field: string, errors: FieldErrors): void {
  errors.rule(field, name, qualifiedName(name));
  if (!name.includes('/') && !standardResources.has(name) && !isHugePageResource(name)) {
    errors.invalid(field, name, 'must be a standard resource for containers');
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.invalid(field, name, "doesn't follow extended resource name standard");
  }
}

function validatePodLevelResourceName(name: string, field: string, errors: FieldErrors): void {
  errors.rule(field, name, qualifiedName(name));
  if (!isPodLevelResource(name)) {
    errors.unsupported(field, name, ['cpu', 'hugepages-', 'memory']);
  }
}

/** Validates the overhead of the runtime class, which may have any resource that a container may have. */
export function validateOverhead(spec: PodSpec, errors: FieldErrors): void {
  validateResourceList(spec.overhead, 'spec.overhead', validateContainerResourceName, errors);
}

/** Validates `resizePolicy`: whether a container restarts when its resources are resized in place. */
export function validateResizePolicy(container: Container, path: string, podPolicy: string, errors: FieldErrors): void {
  const seen = new Set<string>();
  (container.resizePolicy ?? []).forEach(({ resourceName, restartPolicy }, index) => {
    const field = `${path}.resizePolicy[${index}]`;
    if (seen.has(resourceName)) errors.duplicate(`${path}.resizePolicy`, resourceName);
    seen.add(resourceName);
    if (!resourceName) errors.required(`${field}.resourceName`);
    else errors.oneOf(`${field}.resourceName`, resourceName, ['cpu', 'memory']);
    if (!restartPolicy) errors.required(`${field}.restartPolicy`);
    else errors.oneOf(`${field}.restartPolicy`, restartPolicy, ['NotRequired', 'RestartContainer']);
    if (podPolicy === 'Never' && container.restartPolicy === undefined && restartPolicy === 'RestartContainer') {
      errors.invalid(`${field}.restartPolicy`, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  });
}
