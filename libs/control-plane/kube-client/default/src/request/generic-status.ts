import type { KubeHttpRequest, ResourceType } from '@podwright/kube-client-interface';
import type { ApiStatus } from '@podwright/kube-types';

/** The subject of a failed request, for the message. */
export interface RequestSubject {
  readonly method: KubeHttpRequest['method'];
  readonly resource?: ResourceType;
  readonly name?: string;
}

const genericTexts: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/**
 * The Status of an answer without one. `text`: the body if it is text, else `unknown`. Source: kubernetes v1.36
 * apimachinery/pkg/api/errors/errors.go, NewGenericServerResponse.
 */
export function genericStatus(code: number, text: string, { method, resource, name = '' }: RequestSubject): ApiStatus {
  const [reason, message] = genericText(code, text, method);
  const resourceName =
    resource === undefined ? '' : `${resource.plural}${resource.group === '' ? '' : `.${resource.group}`}`;
  const about = [method.toLowerCase(), resourceName, name].filter((part) => part !== '').join(' ');
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    reason,
    message: resource === undefined ? message : `${message} (${about})`,
    details: {
      ...(resource !== undefined && { group: resource.group, kind: resource.plural, name }),
      causes: [{ reason: 'UnexpectedServerResponse', message: text }],
    },
  };
}

function genericText(code: number, text: string, method: string): readonly [reason: string, message: string] {
  if (code === 409 && method === 'POST') return ['AlreadyExists', 'the server reported a conflict'];
  if (code === 403) return ['Forbidden', text];
  if (code === 415) return ['UnsupportedMediaType', text];
  if (code === 406) {
    const unknown = 'the server was unable to respond with a content type that the client supports';
    return ['NotAcceptable', text === '' || text === 'unknown' ? unknown : text];
  }
  const known = genericTexts[code];
  if (known !== undefined) return known;
  if (code >= 500)
    return [
      'InternalError',
      `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
    ];
  return ['', `the server responded with the status code ${code} but did not return more information`];
}
