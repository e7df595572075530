/** Statuses of a server, or of a proxy in front of it, that cannot serve at all. */
const cannotServe = [502, 503, 504];

/**
 * True when an error of a call to the API server, or one that it caused, means that no answer came: only then may a
 * saved copy take the place of the answer. An answer, such as 403 or 404, is the server's word; a call that its caller
 * gave up early proves nothing.
 */
export function isServerAway(error: unknown): boolean {
  const statuses = [...httpStatuses(error)];
  return statuses.length > 0 && statuses.every((status) => status === 0 || cannotServe.includes(status));
}

/** Of the API errors in the chain of causes: 0 where no answer came. */
function* httpStatuses(error: unknown): Generator<number> {
  for (let current = error; typeof current === 'object' && current !== null;) {
    const { httpStatus, code, cause } = current as { httpStatus?: unknown; code?: unknown; cause?: unknown };
    if (typeof httpStatus === 'number' && code !== 'cancelled') yield httpStatus;
    current = cause;
  }
}
