import { ApiError, isTrue } from '@podwright/api-machinery';
import { localResources, podSubresources, type LocalResource } from '../resources.js';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'replace' | 'delete' | 'deletecollection';

/** What a path below `/api/v1` names. */
export interface Target {
  readonly resource: LocalResource;
  readonly verb: Verb;
  /** Empty: all namespaces, or a resource without namespaces. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/**
 * Reads the method and path of a request. The paths are those of an API server; in addition a list can be put.
 * @throws ApiError 404 and 405, with what there is instead.
 */
export function requestedTarget(method: string, path: string, query: URLSearchParams): Target {
  const parts = path.split('/').filter((part) => part !== '');
  const [api, version, ...rest] = parts;
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const [namespace = '', plural, name = '', subresource = '', ...more] = inNamespace ? rest.slice(1) : ['', ...rest];
  const resource = localResources.find((known) => known.plural === plural);
  const hasPlace = resource !== undefined && (resource.namespaced ? inNamespace || name === '' : !inNamespace);
  if (api !== 'api' || version !== 'v1' || !hasPlace || more.length > 0) throw noSuchPath();
  if (subresource === '') {
    const verb = verbOf(method, { resource, inNamespace, name }, isTrue(query.get('watch')));
    return { resource, verb, namespace, name, subresource };
  }
  const allowed = resource.plural === 'pods' ? podSubresources[subresource] : undefined;
  if (allowed === undefined || !Object.hasOwn(podSubresources, subresource)) throw noSuchPath();
  if (!allowed.includes(method)) throw notAllowed(allowed);
  return { resource, verb: 'get', namespace, name, subresource };
}

interface Place {
  readonly resource: LocalResource;
  readonly inNamespace: boolean;
  readonly name: string;
}

function verbOf(method: string, { resource, inNamespace, name }: Place, watching: boolean): Verb {
  const verbs: Readonly<Record<string, Verb>> = {
    GET: name === '' ? (watching ? 'watch' : 'list') : 'get',
    ...(resource.stored !== undefined && {
      ...(name === '' && inNamespace && { POST: 'create' }),
      ...(name !== '' && { PUT: 'update', PATCH: 'patch' }),
      ...(name === '' && !inNamespace && { PUT: 'replace' }),
      DELETE: name === '' ? 'deletecollection' : 'delete',
    }),
  };
  const verb = Object.hasOwn(verbs, method) ? verbs[method] : undefined;
  if (verb === undefined || (verb === 'watch' && resource.stored === undefined)) throw notAllowed(Object.keys(verbs));
  return verb;
}

const served = localResources.map(({ plural }) => plural).join(', ');

function noSuchPath(): ApiError {
  const there = `the local API has ${served} in /api/v1`;
  return new ApiError(404, 'NotFound', `the server could not find the requested resource: ${there}`);
}

function notAllowed(allowed: readonly string[]): ApiError {
  const message = `the server does not allow this method on the requested resource: it allows ${allowed.join(', ')}`;
  return new ApiError(405, 'MethodNotAllowed', message);
}
