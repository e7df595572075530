import type { IncomingMessage } from 'node:http';

/** More than any client sends; the limit bounds the memory of a request. */
export const maxHeaders = 200;

/** True at the limit: Node drops the headers beyond it, which may be the credentials, so the request is refused. */
export const hasTooManyHeaders = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.length >= 2 * maxHeaders;
