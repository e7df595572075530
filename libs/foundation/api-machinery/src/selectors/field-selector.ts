import type { ApiObject } from '../api-object.js';
import { badRequest } from '../status/api-error.js';
import type { GroupResource } from '../group-resource.js';
import { selectableField } from './selectable-fields.js';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Parses a field selector, `a=b,c!=d`, with `\` before a comma, equals sign or backslash in a value. @throws ApiError
 * 400.
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitUnescaped(text)
    .filter((term) => term !== '')
    .map((term) => {
      const match = /^(?<field>[^=!]*)(?<operator>!=|==|=)(?<value>(?:\\.|[^\\])*)$/.exec(term)?.groups;
      if (match === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const value = (match.value ?? '').replace(/\\([,=\\])/g, '$1');
      return { field: match.field ?? '', operator: match.operator === '!=' ? '!=' : '=', value };
    });
}

/** Makes a predicate of a field selector. @throws ApiError 400 for a field that is not selectable. */
export function fieldPredicate(
  resource: GroupResource,
  requirements: readonly FieldRequirement[],
): (object: ApiObject) => boolean {
  const tests = requirements.map(({ field, operator, value }) => {
    const fieldOf = selectableField(resource, field);
    return (object: ApiObject): boolean => (fieldOf(object) === value) === (operator === '=');
  });
  return (object) => tests.every((matches) => matches(object));
}

/** The name that the selector requires in `metadata.name`, if any. */
export function selectedName(requirements: readonly FieldRequirement[]): string | undefined {
  return requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value;
}

function splitUnescaped(text: string): readonly string[] {
  return text.match(/(?:\\.|[^,\\])+/g) ?? [];
}
