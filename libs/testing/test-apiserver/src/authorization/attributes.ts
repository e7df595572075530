import type { ApiUser, ResourceTarget } from '../http/api-request.js';
import type { FieldRequirement } from '../selectors/field-selector.js';

/** What somebody wants to do, as authorizers see it. */
export interface ResourceAttributes {
  readonly user: ApiUser;
  /** Any word; reviews ask for words that are no request's. */
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fields: readonly FieldRequirement[];
}

/** `reason` of a refusal may be empty. */
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
  // A selector of one name is the request for that object, as far as access goes.
  const selected = ['list', 'watch', 'deletecollection'].includes(verb)
    ? (fields.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value ?? '')
    : '';
  // A namespace is in itself, as far as access goes.
  const within = resource.kind === 'Namespace' && group === '' ? name : namespace;
  return { user, verb, group, plural, subresource, namespace: within, name: name === '' ? selected : name, fields };
}

/** Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/responsewriters/errors.go forbiddenMessage. */
export function forbiddenMessage({ user, verb, group, plural, subresource, namespace }: ResourceAttributes): string {
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
}
