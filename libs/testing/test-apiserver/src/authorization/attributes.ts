import type { FieldRequirement } from '@podwright/api-machinery';
import type { ApiUser, ResourceTarget } from '../http/api-request.js';

/** A request as authorizers see it: who wants to do what to which resource. */
export interface ResourceAttributes {
  readonly user: ApiUser;
  /** Any verb: access reviews may ask for verbs that no request has. */
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fields: readonly FieldRequirement[];
}

/** The decision of an authorizer. `reason` may be empty. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export function attributesOf(
  user: ApiUser,
  { resource, verb, subresource, namespace, name }: ResourceTarget,
  fields: readonly FieldRequirement[],
): ResourceAttributes {
  const { group, plural } = resource;
  // For authorization, a list that selects one name counts as a request for that object.
  const selected = ['list', 'watch', 'deletecollection'].includes(verb)
    ? (fields.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value ?? '')
    : '';
  // For authorization, a namespace is in itself.
  const within = resource.kind === 'Namespace' && group === '' ? name : namespace;
  return { user, verb, group, plural, subresource, namespace: within, name: name === '' ? selected : name, fields };
}

/**
 * The message of a 403. Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/responsewriters/errors.go
 * forbiddenMessage.
 */
export function forbiddenMessage({ user, verb, group, plural, subresource, namespace }: ResourceAttributes): string {
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}
