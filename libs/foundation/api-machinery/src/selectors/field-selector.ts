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
 * Parses a field selector, `a=b,c!=d`, with `\` before a comma, equals sign or backslash in a value. Source: kubernetes v1.36
 * apimachinery/pkg/fields/selector.go.
 * @throws ApiError 400.
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  const terms = splitUnescaped(text).filter((term) => term !== '');
  const requirements = terms.map((term): FieldRequirement => {
    const match = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)?.groups;
    if (match === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const operator = match.operator === '!=' ? '!=' : '=';
    return { field: match.field ?? '', operator, value: unescaped(match.value ?? '') };
  });
  // As upstream: `=` selects everything.
  return requirements.filter(({ field, value }) => field !== '' || value !== '');
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (found, escaped?: string) => {
    if (escaped === undefined)
      throw badRequest(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    if (!/^[,=\\]$/.test(escaped)) throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
    return escaped;
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
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}
