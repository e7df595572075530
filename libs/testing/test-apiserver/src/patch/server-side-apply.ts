import { badRequest, notFound, type ApiObject, decodeObject, applyStrategicMergePatch } from '@podwright/api-machinery';
import { isJsonObject, type JsonObject } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import type { ResourceRequest } from '../http/api-request.js';
import { groupVersion } from '../resources/api-resource.js';
import { fieldSet, forgetFields, type FieldSet } from './applied-fields.js';

/** True for the media types of server-side apply. */
export function isServerSideApply(mediaType: string): boolean {
  return mediaType === 'application/apply-patch+yaml' || mediaType === 'application/apply-patch';
}

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly time: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: FieldSet;
}

/**
 * Applies a configuration to the object: sets its fields, and removes fields that the same manager applied before but
 * no longer does, unless another manager applies them. Only appliers own fields, and there are no conflicts: the last
 * one wins, as with `--force-conflicts`. The body must be JSON, which is also YAML.
 * @throws ApiError 400 without a field manager, 404 for a subresource of a missing object.
 */
export function serverSideApply(old: ApiObject | undefined, request: ResourceRequest, nowMs: number): ApiObject {
  const { resource, name, subresource } = request.target;
  const manager = request.query.get('fieldManager') ?? '';
  if (manager === '')
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  if (old === undefined && subresource !== '') throw notFound(resource, name);
  const given = decodeObject(request.body);
  if (Array.isArray(given.metadata.managedFields) && given.metadata.managedFields.length > 0) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const kind = resource.kind;
  const fields = fieldSet(kind, configured(given));
  const managed = (old?.metadata.managedFields ?? []) as unknown as readonly ManagedFields[];
  const others = managed.filter((entry) => entry.manager !== manager);
  const before = managed.find((entry) => entry.manager === manager)?.fieldsV1 ?? {};
  const base =
    old === undefined ? {} : forgetFields(kind, old, before, [fields, ...others.map(({ fieldsV1 }) => fieldsV1)]);
  const merged = applyStrategicMergePatch(kind, base, given);
  const metadata = isJsonObject(merged.metadata) ? merged.metadata : {};
  const entry: ManagedFields = {
    manager,
    operation: 'Apply',
    apiVersion: groupVersion(resource),
    time: formatRfc3339(nowMs),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  };
  return {
    ...merged,
    metadata: { ...metadata, name, managedFields: [...others, entry] } as unknown as ApiObject['metadata'],
  };
}

/** The applied configuration without the fields that identify the object. */
function configured({ apiVersion: _version, kind: _kind, metadata, ...rest }: ApiObject): JsonObject {
  const { name: _name, namespace: _namespace, ...kept } = metadata;
  return { ...rest, ...(Object.keys(kept).length > 0 && { metadata: kept }) };
}
