import type { IncomingMessage } from 'node:http';

/** More than any client sends, and each is memory. */
export const maxHeaders = 200;

/** Node leaves out what comes behind the last allowed header, which may be the credentials: such a request is not served. */
export const hasTooManyHeaders = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.length >= 2 * maxHeaders;
