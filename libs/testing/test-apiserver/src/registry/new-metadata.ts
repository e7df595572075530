import { badRequest, generateName, invalid, newUid } from '@podwright/api-machinery';
import { dns1123Subdomain, type ObjectMeta } from '@podwright/kube-types';
import { FieldErrors } from '@podwright/pod-manifest';
import { formatRfc3339 } from '@podwright/time';
import type { ApiResource } from '../resources/api-resource.js';
import type { ServerContext } from './server-context.js';

/**
 * The metadata of a new object: adds a generated name when requested, UID and creation time, and drops fields that
 * clients may not set. Source: kubernetes v1.36 apiserver/pkg/registry/rest/create.go BeforeCreate.
 * @throws ApiError 400 or 422.
 */
export function newMetadata(
  { clock, random }: ServerContext,
  resource: ApiResource,
  namespace: string,
  given: ObjectMeta,
): ObjectMeta {
  if (resource.namespaced && given.namespace !== undefined && given.namespace !== '' && given.namespace !== namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
  const name = given.name ? given.name : given.generateName ? generateName(given.generateName, random) : '';
  const {
    namespace: _namespace,
    selfLink: _selfLink,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _grace,
    resourceVersion: _resourceVersion,
    generation: _generation,
    ...rest
  } = given;
  checkName(resource, name);
  return {
    ...rest,
    name,
    ...(resource.namespaced && { namespace }),
    uid: newUid(random),
    creationTimestamp: formatRfc3339(clock.now()),
  } as unknown as ObjectMeta;
}

function checkName(resource: ApiResource, name: string): void {
  const errors = new FieldErrors();
  if (name === '') errors.required('metadata.name', 'name or generateName is required');
  else if (freelyNamed.has(resource.group)) {
    if (/[/%]/.test(name) || name === '.' || name === '..')
      errors.invalid('metadata.name', name, "may not contain '/'");
  } else errors.rule('metadata.name', name, dns1123Subdomain(name));
  if (errors.list.length > 0) throw invalid(resource.group, resource.kind, name, errors.list);
}

// Names of roles and trust bundles may contain colons.
const freelyNamed = new Set(['rbac.authorization.k8s.io', 'certificates.k8s.io']);
