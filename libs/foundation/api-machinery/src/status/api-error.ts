import type { ApiStatus } from '@podwright/kube-types';
import type { FieldError } from '@podwright/pod-manifest';
import { qualified, type GroupResource } from '../group-resource.js';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/**
 * An error answer: HTTP status, reason, message and details of a Status. Messages as in kubernetes v1.36 apimachinery
 * pkg/api/errors/errors.go.
 */
export class ApiError extends Error {
  readonly details: StatusDetails;
  /** Goes into the Status' list metadata: the token with which a client can continue an expired list. */
  readonly continueToken: string | undefined;

  constructor(
    readonly httpStatus: number,
    readonly reason: string,
    message: string,
    { continueToken, ...details }: StatusDetails & { readonly continueToken?: string | undefined } = {},
  ) {
    super(message);
    this.details = details;
    this.continueToken = continueToken;
    this.name = 'ApiError';
  }

  status(): ApiStatus {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason !== '' && { reason: this.reason }),
      ...(Object.keys(this.details).length > 0 && { details: this.details }),
      code: this.httpStatus,
    } as unknown as ApiStatus;
  }
}

function about({ group, plural }: GroupResource, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}

export function notFound(resource: GroupResource, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, about(resource, name));
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return new ApiError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, about(resource, name));
}

export function conflict(resource: GroupResource, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, about(resource, name));
}

export const modifiedMeanwhile =
  'the object has been modified; please apply your changes to the latest version and try again';

export function forbidden(resource: GroupResource, name: string, why: string): ApiError {
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
  return new ApiError(403, 'Forbidden', `${subject} is forbidden: ${why}`, about(resource, name));
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized');
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, { continueToken });
}

export function methodNotAllowed(message: string): ApiError {
  return new ApiError(405, 'MethodNotAllowed', message, {});
}

export function internalError(message: string): ApiError {
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

export function noSuchResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource');
}

const causeReasons: Readonly<Record<string, string>> = {
  'Required value': 'FieldValueRequired',
  'Invalid value': 'FieldValueInvalid',
  'Unsupported value': 'FieldValueNotSupported',
  'Duplicate value': 'FieldValueDuplicate',
  'Not found': 'FieldValueNotFound',
  Forbidden: 'FieldValueForbidden',
  'Too long': 'FieldValueTooLong',
  'Too many': 'FieldValueTooMany',
};

/** A 422 with a cause for each fault. `kind` is the kind of the object, such as `Pod`. */
export function invalid(group: string, kind: string, name: string, faults: readonly FieldError[]): ApiError {
  const subject = group === '' ? kind : `${kind}.${group}`;
  const messages = [...new Set(faults.map(({ message }) => message))];
  const text = messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
  return new ApiError(422, 'Invalid', `${subject} "${name}" is invalid: ${text}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    kind,
    causes: faults.map(({ field, type, message }) => ({
      reason: causeReasons[type] ?? type,
      message: message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message,
      field,
    })),
  });
}
