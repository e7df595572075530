import { groupVersion, type ApiResource } from '../resources/api-resource.js';
import { apiTypeName } from './api-type.js';
import { schemaName, type Schema } from './type-schema.js';

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'];
const actions: Readonly<Record<string, string>> = {
  get: 'get',
  put: 'put',
  patch: 'patch',
  post: 'post',
  delete: 'delete',
};

/** The paths of a resource and their operations. */
export function operationsOf(resource: ApiResource, version: 2 | 3): readonly (readonly [string, Schema])[] {
  const { group, kind, namespaced, plural, virtual } = resource;
  const root = `/${group === '' ? 'api' : 'apis'}/${groupVersion(resource)}`;
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const one = `${collection}/{name}`;
  const gvk = { group, version: resource.version, kind };
  const type = schemaName(apiTypeName(group, resource.version, kind));
  const operation = (method: string, action = actions[method] ?? method): readonly [string, Schema] => [
    method,
    {
      operationId:
        `${action}${action === 'list' || method === 'post' ? '' : 'One'}${version}${groupVersion(resource)}${kind}`.replace(
          /[^\w]/g,
          '',
        ),
      ...bodyAndParameters(method, type, version),
      responses: { 200: answer(action === 'list' ? `${type}List` : type, version) },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': gvk,
    },
  ];
  const paths = (path: string, ...operations: readonly (readonly [string, Schema])[]): readonly [string, Schema] => [
    path,
    { ...Object.fromEntries(operations), parameters: pathParameters(path, version) },
  ];
  if (virtual) return [paths(collection, operation('post'))];
  return [
    ...(namespaced ? [paths(`${root}/${plural}`, operation('get', 'list'))] : []),
    paths(collection, operation('get', 'list'), operation('post'), operation('delete', 'deletecollection')),
    paths(one, operation('get'), operation('put'), operation('patch'), operation('delete')),
    ...(resource.subresources.includes('status')
      ? [paths(`${one}/status`, operation('get'), operation('put'), operation('patch'))]
      : []),
  ];
}

function bodyAndParameters(method: string, type: string, version: 2 | 3): Schema {
  const names =
    method === 'patch'
      ? [...writeParameters, 'force']
      : ['put', 'post'].includes(method)
        ? writeParameters
        : method === 'delete'
          ? ['dryRun']
          : [];
  const parameters = names.map((name) => parameter('query', name, name === 'force' ? 'boolean' : 'string', version));
  if (method === 'get' || method === 'delete') return { parameters };
  const schemaOf = method === 'patch' ? 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch' : type;
  const consumes = method === 'patch' ? patchTypes : ['application/json'];
  if (version === 2) {
    const body = { in: 'body', name: 'body', required: true, schema: { $ref: `#/definitions/${schemaOf}` } };
    return { consumes, parameters: [body, ...parameters] };
  }
  const content = consumes.map((name) => [name, { schema: { $ref: `#/components/schemas/${schemaOf}` } }] as const);
  return { parameters, requestBody: { required: true, content: Object.fromEntries(content) } };
}

function answer(type: string, version: 2 | 3): Schema {
  if (version === 2) return { description: 'OK', schema: { $ref: `#/definitions/${type}` } };
  return { description: 'OK', content: { 'application/json': { schema: { $ref: `#/components/schemas/${type}` } } } };
}

function pathParameters(path: string, version: 2 | 3): readonly Schema[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => ({ ...parameter('path', name, 'string', version), required: true }));
}

function parameter(where: string, name: string, type: string, version: 2 | 3): Schema {
  return {
    in: where,
    name,
    ...(version === 2 ? { type, uniqueItems: true } : { schema: { type, uniqueItems: true } }),
  };
}
