import type { Clock } from '@podwright/time';
import { ApiError } from '../api-error.js';
import type { ApiResponse, ResourceRequest } from '../http/api-request.js';
import { mapEvents } from '../http/map-events.js';
import { jsonResponse } from '../http/json-response.js';
import { partialMetadata, partialMetadataList } from './partial-metadata.js';
import { isPrintable, tableOf, type IncludeObject } from './table.js';

type Form = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

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

/** Converts an answer to the requested form. Errors, and answers that are no objects, stay unchanged. */
export function represent(
  clock: Clock,
  form: Form | undefined,
  request: ResourceRequest,
  plain: ApiResponse,
): ApiResponse {
  const isJson = plain.headers['content-type']?.startsWith(json) === true;
  if (form === undefined || plain.status >= 300 || !isJson) return plain;
  const include = includeOf(request.query);
  const { resource, verb } = request.target;
  const convert = (body: unknown, first: boolean): unknown => {
    if (!isPrintable(body)) return body;
    if (form === 'Table') return tableOf(resource, body, { nowMs: clock.now(), include, withColumns: first });
    return Array.isArray(body.items) && body.kind === `${resource.kind}List`
      ? partialMetadataList(body)
      : partialMetadata(body);
  };
  if (plain.body instanceof Uint8Array) {
    const { 'content-length': _length, 'content-type': _type, ...headers } = plain.headers;
    return jsonResponse(plain.status, convert(JSON.parse(new TextDecoder().decode(plain.body)), true), headers);
  }
  return verb === 'watch' ? { ...plain, body: converted(plain.body, convert) } : plain;
}

function includeOf(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject');
  return asked === 'Object' || asked === 'None' ? asked : 'Metadata';
}

/** Converts the objects of a watch's events. */
function converted(
  events: AsyncIterable<Uint8Array>,
  convert: (body: unknown, first: boolean) => unknown,
): AsyncIterable<Uint8Array> {
  let first = true;
  return mapEvents(events, ({ type, object }) => {
    const event = { type, object: convert(object, first) };
    first = false;
    return Buffer.from(`${JSON.stringify(event)}\n`);
  });
}
