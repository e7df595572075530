import { text } from '@podwright/http-answer';
import type { RequestAccess } from '../access/access-filter.js';

const refusal = text(
  403,
  'This listener only reads (localReadOnly of @podwright/server): it takes GET and HEAD, and opens no sessions\n',
);

/** Admits the requests that only read. An upgrade would open a session in a container. */
export const readingAccess: RequestAccess = {
  admit: async ({ method = 'GET', headers, rawHeaders }) =>
    ['GET', 'HEAD'].includes(method) && headers.upgrade === undefined
      ? { headers, rawHeaders, user: undefined }
      : { refusal },
};
