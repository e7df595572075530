import { ApiError, badRequest, invalid, decodeJson } from '@podwright/api-machinery';
import { isJsonObject } from '@podwright/kube-types';
import { apiType, apiTypeName } from '../openapi/api-type.js';
import { checkFields } from '../openapi/check-fields.js';
import { groupVersion, type ApiResource } from '../resources/api-resource.js';
import type { ApiResponse, ResourceRequest } from './api-request.js';

/** A write without unknown fields, and the warnings about them. */
export interface ValidatedRequest {
  readonly request: ResourceRequest;
  readonly warnings: readonly string[];
}

/**
 * Validates the fields of a write. It drops unknown fields with a warning, or refuses or ignores them as
 * `fieldValidation` says, and always refuses values of a wrong type.
 * Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers create.go, update.go, patch.go.
 * @throws ApiError 400, or 422 for a patch.
 */
export function validateFields(request: ResourceRequest): ValidatedRequest {
  const { resource, verb, subresource } = request.target;
  const type = apiType(apiTypeName(resource.group, resource.version, resource.kind));
  const writes = verb === 'create' || verb === 'update' || verb === 'patch';
  // Bodies of other subresources have other kinds, or the server does not read them.
  if (type === undefined || !writes || (subresource !== '' && subresource !== 'status')) return asItIs(request);
  checkDryRun(request);
  const body = decodeJson(request.body);
  // A JSON patch is a list of operations.
  if (!isJsonObject(body) || isOfOtherKind(body.kind, resource)) return asItIs(request);
  const { value, unknown, mismatch } = checkFields(body, type);
  const validation = request.query.get('fieldValidation') ?? 'Warn';
  if (verb === 'patch') checkPatch(request, resource, { unknown, mismatch }, validation);
  else checkObject(resource, { unknown, mismatch }, validation);
  if (unknown.length === 0) return asItIs(request);
  return {
    request: { ...request, body: new TextEncoder().encode(JSON.stringify(value)) },
    warnings: validation === 'Warn' ? unknown.map((path) => `unknown field "${path}"`) : [],
  };
}

const optionKinds: Readonly<Record<string, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
};

function checkDryRun({ query, target }: ResourceRequest): void {
  const asked = query.getAll('dryRun');
  if (asked.every((word) => word === 'All')) return;
  const message = `dryRun: Unsupported value: ${JSON.stringify(asked)}: supported values: "All"`;
  const kind = optionKinds[target.verb] ?? 'PatchOptions';
  throw invalid('meta.k8s.io', kind, '', [{ field: 'dryRun', type: 'Unsupported value', message }]);
}

interface Faults {
  readonly unknown: readonly string[];
  readonly mismatch: string | undefined;
}

function checkObject(resource: ApiResource, { unknown, mismatch }: Faults, validation: string): void {
  const { kind } = resource;
  const subject = `${kind} in version "${groupVersion(resource)}" cannot be handled as a ${kind}`;
  if (mismatch !== undefined) throw badRequest(`${subject}: ${mismatch}`);
  if (validation === 'Strict' && unknown.length > 0) throw badRequest(`${subject}: ${strict(unknown)}`);
}

function checkPatch(
  { headers, body, target }: ResourceRequest,
  resource: ApiResource,
  { unknown, mismatch }: Faults,
  validation: string,
): void {
  if (headers['content-type']?.startsWith('application/apply-patch') === true && unknown.length > 0) {
    const faults = unknown.map((path) => `.${path}: field not declared in schema`);
    const list = faults.length === 1 ? (faults[0] ?? '') : `errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
    const { group, version, kind } = resource;
    const { metadata } = decodeJson(body) as { readonly metadata?: { readonly namespace?: string } };
    const object = `${metadata?.namespace ?? ''}/${target.name}; ${group}/${version}, Kind=${kind}`;
    throw new ApiError(500, '', `failed to create typed patch object (${object}): ${list}`);
  }
  const fault = mismatch ?? (validation === 'Strict' && unknown.length > 0 ? strict(unknown) : undefined);
  if (fault === undefined) return;
  const message = `patch: Invalid value: ${JSON.stringify(new TextDecoder().decode(body))}: ${fault}`;
  throw invalid('', '', '', [{ field: 'patch', type: 'Invalid value', message }]);
}

function strict(unknown: readonly string[]): string {
  return `strict decoding error: ${unknown.map((path) => `unknown field "${path}"`).join(', ')}`;
}

// The registry reports the wrong kind.
function isOfOtherKind(kind: unknown, resource: ApiResource): boolean {
  return typeof kind === 'string' && kind !== '' && kind !== resource.kind;
}

function asItIs(request: ResourceRequest): ValidatedRequest {
  return { request, warnings: [] };
}

/** Adds the warnings to the answer's `Warning` header; clients show them. */
export function withWarnings(response: ApiResponse, warnings: readonly string[]): ApiResponse {
  if (warnings.length === 0) return response;
  const own = warnings.map((warning) => `299 - ${JSON.stringify(warning)}`);
  const given = response.headers['warning'];
  const warning = [...(given === undefined ? [] : [given]), ...own].join(', ');
  return { ...response, headers: { ...response.headers, warning } };
}
