import { ApiError, internalError, type GroupResource } from '@podwright/api-machinery';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Answer } from '@podwright/http-answer';

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' };

/** An object as an answer, as API servers write it. */
export const jsonAnswer = (status: number, object: unknown): Answer => ({
  status,
  headers,
  body: `${JSON.stringify(object)}\n`,
});

const statusOf: Partial<Record<KubeletError['code'], readonly [number, string]>> = {
  'invalid-argument': [400, 'BadRequest'],
  'not-found': [404, 'NotFound'],
  'already-exists': [409, 'AlreadyExists'],
  aborted: [409, 'Conflict'],
  // An object that cannot be changed here, such as one of a folder.
  'failed-precondition': [409, 'Conflict'],
  // No room for so many or so large objects.
  'resource-exhausted': [403, 'Forbidden'],
  unavailable: [503, 'ServiceUnavailable'],
};

/** What went wrong, as an error of an API server. `about`: the object that the request names. */
export function toApiError(
  error: unknown,
  about?: { readonly resource: GroupResource; readonly name: string },
): ApiError {
  if (error instanceof ApiError) return error;
  const { code, message } = KubeletError.from(error);
  const [status, reason] = statusOf[code] ?? [];
  if (status === undefined || reason === undefined) return internalError(messageOf(error));
  const { resource, name } = about ?? {};
  const details = resource && status !== 400 ? { ...(name && { name }), kind: resource.plural } : {};
  return new ApiError(status, reason, message, details);
}

export const errorAnswer = (error: ApiError): Answer => jsonAnswer(error.httpStatus, error.status());
