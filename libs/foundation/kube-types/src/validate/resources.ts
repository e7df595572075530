import { qualifiedName } from '../names/name-rules.js';
import type { Container, PodSpec, ResourceRequirements } from '../objects.js';
import { isPodLevelResource, podRequests } from '../pod/pod-resources.js';
import type { ResourceList } from '../pod/resource-amounts.js';
import type { Quantity } from '../quantity/quantity.js';
import { quantityFormatMessage, tryParseQuantity } from '../quantity/quantity.js';
import { formatQuantity } from '../quantity/format-quantity.js';
import type { FieldErrors } from './field-errors.js';

const standardResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Requests may lie below limits only for resources that can be shared in time: not huge pages, not devices. */
function isOvercommitAllowed(name: string): boolean {
  return (!name.includes('/') || /^(requests\.)?kubernetes\.io\//.test(name)) && !isHugePages(name);
}

/** Resources of a container. `claimNames` are the names in `spec.resourceClaims`. */
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

/** Pod-level `spec.resources`: cpu, memory and huge pages, not below the sum of the containers' requests. */
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
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.forbidden(field, 'HugePages require cpu or memory');
  }
}

/** Names and values of a list; gives the values that are quantities. */
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
    if (name.includes('/') && quantity.nano % 1_000_000_000n !== 0n) errors.invalid(place, text, 'must be an integer');
    if (isHugePages(name)) validatePageMultiple(name, quantity, place, errors);
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
  if (!name.includes('/') && !standardResources.has(name) && !isHugePages(name)) {
    errors.invalid(field, name, 'must be a standard resource for containers');
  }
}

function validatePodLevelResourceName(name: string, field: string, errors: FieldErrors): void {
  errors.rule(field, name, qualifiedName(name));
  if (!isPodLevelResource(name)) {
    errors.unsupported(field, name, ['cpu', 'hugepages-', 'memory']);
  }
}

/** Overhead of the runtime class: any resource that a container may have. */
export function validateOverhead(spec: PodSpec, errors: FieldErrors): void {
  validateResourceList(spec.overhead, 'spec.overhead', validateContainerResourceName, errors);
}

/** What a change of the resources in place does to the container. */
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
