import { isTrue, methodNotAllowed, noSuchResource, type ApiError } from '@podwright/api-machinery';
import { subresourceKind } from '../discovery/subresource-kinds.js';
import type { ResourceTable } from '../resources/resource-table.js';
import type { ApiResource } from '../resources/api-resource.js';
import type { ResourceTarget, Verb } from './api-request.js';

/**
 * Parses a path below `/api` or `/apis`; undefined when it lacks the group and version, or names nothing below them.
 * Source: kubernetes v1.36 apiserver/pkg/endpoints/request/requestinfo.go.
 * @throws ApiError 404 for a resource that does not exist, 405 for a method that it does not have.
 */
export function parseResourceTarget(
  table: ResourceTable,
  { method, path, query }: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
): ResourceTarget | undefined {
  const rawParts = path.split('/').slice(1);
  const parts = rawParts.map(decodeURIComponent);
  const [root, first = ''] = parts;
  const group = root === 'apis' ? first : '';
  const version = root === 'apis' ? parts[2] : root === 'api' ? first : undefined;
  if (version === undefined || !table.serves(group, version)) return undefined;
  const prefixLength = root === 'apis' ? 3 : 2;
  const below = trimmed(parts.slice(prefixLength));
  if (below.length === 0) return undefined;
  const scoped = below[0] === 'namespaces' && below.length > 2 && !isNamespaceSubresource(below);
  const namespace = scoped ? (below[1] ?? '') : '';
  const [plural = '', name = '', subresource = ''] = scoped ? below.slice(2) : below;
  const resource = table.find(group, version, plural);
  if (resource === undefined || (scoped && !resource.namespaced)) throw noSuchResource();
  if (subresource !== '' && !resource.subresources.includes(subresource)) throw noSuchResource();
  const verb = verbOf(method, { name, subresource, resource, namespace, watching: isTrue(query.get('watch')) });
  if (subresource !== '' && !subresourceKind(resource, subresource).verbs.includes(verb)) throw notAllowed();
  const rest = rawParts.slice(prefixLength + (scoped ? 5 : 3)).join('/');
  return { resource, verb, namespace, name, subresource, rest };
}

function verbOf(
  method: string,
  asked: {
    readonly name: string;
    readonly namespace: string;
    readonly subresource: string;
    readonly resource: ApiResource;
    readonly watching: boolean;
  },
): Verb {
  const { name, resource, namespace, watching } = asked;
  const one = name !== '';
  // Requests for one object of a namespaced resource, and its creation, need the namespace in the path.
  if (resource.namespaced && namespace === '' && (one || method !== 'GET')) throw noSuchResource();
  const verbs: Readonly<Record<string, Verb>> = one
    ? {
        GET: watching && asked.subresource === '' ? 'watch' : 'get',
        HEAD: 'get',
        PUT: 'update',
        PATCH: 'patch',
        DELETE: 'delete',
        POST: 'create',
      }
    : { GET: watching ? 'watch' : 'list', HEAD: 'list', POST: 'create', DELETE: 'deletecollection' };
  const verb = verbs[method];
  const misplaced = verb === 'create' && one && asked.subresource === '';
  if (verb === undefined || misplaced || (resource.virtual && verb !== 'create')) {
    throw notAllowed();
  }
  return verb;
}

function notAllowed(): ApiError {
  return methodNotAllowed('the server does not allow this method on the requested resource');
}

/** `/api/v1/namespaces/x/status` is a subresource of the namespace, not a resource in it. */
function isNamespaceSubresource(below: readonly string[]): boolean {
  return below.length === 3 && (below[2] === 'status' || below[2] === 'finalize');
}

function trimmed(parts: readonly string[]): readonly string[] {
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts;
}
