import type { ApiObject } from '../api-object.js';
import type { GroupResource } from '../group-resource.js';
import { ApiError } from '../status/api-error.js';
import { partialMetadata, partialMetadataList } from './partial-metadata.js';
import { isPrintable, tableOf, type IncludeObject } from './table.js';

/** What objects may be shown as. */
export type Form = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

const json = 'application/json';
const acceptable = [json, 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor'];

/**
 * The form that an Accept header asks for: plain (undefined), a table, or only metadata. The first media range that the
 * server supports wins. Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/negotiation.
 * @throws ApiError 406 when none of the ranges is JSON.
 */
export function formOf(accept: string | undefined): Form | undefined {
  if (accept === undefined || accept.trim() === '') return undefined;
  for (const range of accept.split(',')) {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (![json, '*/*', 'application/*'].includes(mediaType)) continue;
    const given = new Map(parameters.map((parameter) => parameter.split('=') as [string, string]));
    const form = given.get('as');
    if (form === undefined) return undefined;
    if (given.get('g') !== 'meta.k8s.io' || given.get('v') !== 'v1') continue;
    if (form === 'Table' || form === 'PartialObjectMetadata' || form === 'PartialObjectMetadataList') return form;
  }
  const types = acceptable.join(', ');
  throw new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${types}`);
}

/** Objects in a form, as {@link inForm} needs to know them. */
export interface FormOptions {
  readonly form: Form | undefined;
  readonly resource: GroupResource & { readonly kind: string };
  readonly include: IncludeObject;
  readonly nowMs: number;
  /** False for the later objects of a watch: only its first table has columns. */
  readonly first: boolean;
}

/** An object or a list in the requested form. Errors, and what is no object, stay unchanged. */
export function inForm(body: unknown, { form, resource, include, nowMs, first }: FormOptions): unknown {
  if (form === undefined || !isPrintable(body)) return body;
  if (form === 'Table') return tableOf(resource, body, { nowMs, include, withColumns: first });
  return isListOf(body, resource.kind) ? partialMetadataList(body) : partialMetadata(body);
}

const isListOf = (body: ApiObject, kind: string): boolean => Array.isArray(body.items) && body.kind === `${kind}List`;

/** What the rows of a table contain of their objects, as the query asks for it. */
export function includeOf(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject');
  return asked === 'Object' || asked === 'None' ? asked : 'Metadata';
}
