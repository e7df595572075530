import { inForm, includeOf, type Form } from '@podwright/api-machinery';
import type { Clock } from '@podwright/time';
import type { ApiResponse, ResourceRequest } from '../http/api-request.js';
import { mapEvents } from '../http/map-events.js';
import { jsonResponse } from '../http/json-response.js';

/** Converts an answer to the requested form. Errors, and answers that are no objects, stay unchanged. */
export function represent(
  clock: Clock,
  form: Form | undefined,
  request: ResourceRequest,
  plain: ApiResponse,
): ApiResponse {
  const isJson = plain.headers['content-type']?.startsWith('application/json') === true;
  if (form === undefined || plain.status >= 300 || !isJson) return plain;
  const include = includeOf(request.query);
  const { resource, verb } = request.target;
  const convert = (body: unknown, first: boolean): unknown =>
    inForm(body, { form, resource, include, nowMs: clock.now(), first });
  if (plain.body instanceof Uint8Array) {
    const { 'content-length': _length, 'content-type': _type, ...headers } = plain.headers;
    return jsonResponse(plain.status, convert(JSON.parse(new TextDecoder().decode(plain.body)), true), headers);
  }
  return verb === 'watch' ? { ...plain, body: converted(plain.body, convert) } : plain;
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
