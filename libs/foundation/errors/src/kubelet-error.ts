/** All error codes: the gRPC status codes without OK, in the order of their numbers. */
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
  /** Kubernetes reason in upstream's spelling, such as `ErrImagePull`; statuses and events show it. */
  readonly reason?: string;
  readonly cause?: unknown;
}

// A registered symbol also marks errors of another loaded copy of this package, where `instanceof` fails.
const brand = Symbol.for('@podwright/errors/KubeletError/v1');

/**
 * The error class of all managers. The message is for people; it has no code prefix, because container statuses show
 * the runtime's message unchanged. Test the code with {@link hasCode}, never by message.
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
   * Turns any thrown value into a KubeletError. It returns a KubeletError as it is; an AbortError becomes `cancelled`,
   * a TimeoutError `deadline-exceeded`, everything else `unknown`, with the value as cause.
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

/** True when `error`, or an error in its cause chain, has the code. Works across several copies of this package. */
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

/** True for Node's ENOENT: there is no such file or directory. */
export function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** The message of any thrown value, for a log line or a status message. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown);
}

/**
 * True for any error, also for a DOMException and for one of another realm (worker, vm), where `instanceof Error` may
 * fail.
 */
export function isError(thrown: unknown): thrown is Error {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { name, message } = thrown as { name?: unknown; message?: unknown };
  return typeof name === 'string' && typeof message === 'string';
}
