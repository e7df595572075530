/** Closed set of error classes, aligned with the gRPC status codes. */
export const errorCodes = [
  'cancelled',
  'unknown',
  'invalid-argument',
  'deadline-exceeded',
  'not-found',
  'already-exists',
  'permission-denied',
  'resource-exhausted',
  'failed-precondition',
  'aborted',
  'out-of-range',
  'unimplemented',
  'internal',
  'unavailable',
  'data-loss',
  'unauthenticated',
] as const;

/** See {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];

export interface KubeletErrorOptions {
  readonly code: ErrorCode;
  /** Kubernetes reason in upstream's spelling, such as `ErrImagePull`; ends up in statuses and events. */
  readonly reason?: string;
  readonly cause?: unknown;
}

// Marks errors of other copies of this package too: `instanceof` fails when two copies are loaded.
const brand = Symbol.for('@podwright/errors/KubeletError/v1');

/**
 * The one error class of all managers. The message is for people and carries no code prefix, because upstream shows
 * runtime messages as they are in container statuses; test the class with {@link hasCode}, never by message.
 */
export class KubeletError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly [brand] = true;

  constructor(message: string, options: KubeletErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KubeletError';
    this.code = options.code;
    this.reason = options.reason;
  }

  /**
   * Wraps anything thrown. A KubeletError is returned as it is; an abort becomes `cancelled` (or
   * `deadline-exceeded` for a timeout signal); everything else becomes `unknown` with the value as cause.
   */
  static from(thrown: unknown): KubeletError {
    if (isKubeletError(thrown)) return thrown;
    const name = isError(thrown) ? thrown.name : '';
    const code = name === 'AbortError' ? 'cancelled' : name === 'TimeoutError' ? 'deadline-exceeded' : 'unknown';
    return new KubeletError(messageOf(thrown), { code, cause: thrown });
  }
}

function isKubeletError(value: unknown): value is KubeletError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** True when `error`, or an error in its cause chain, has the code. Works over several copies of this package. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  for (
    let current = error;
    current !== undefined && current !== null;
    current = (current as { cause?: unknown }).cause
  ) {
    if (isKubeletError(current) && current.code === code) return true;
    if (typeof current !== 'object') return false;
  }
  return false;
}

/** The text of anything thrown, for a log line or a status message. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown);
}

/** True for errors of other realms (worker, vm) and DOMExceptions too, for which `instanceof Error` may fail. */
export function isError(thrown: unknown): thrown is Error {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { name, message } = thrown as { name?: unknown; message?: unknown };
  return typeof name === 'string' && typeof message === 'string';
}
