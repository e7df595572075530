import type { ApiObject } from '../client/resources.js';
import { CommandError } from '../command-error.js';
import { renderJsonPath } from './json-path/evaluate.js';
import { parseJsonPath } from './json-path/parse.js';
import { objectYaml } from './object-yaml.js';
import { sortedKeys } from './sorted-keys.js';

/** Prints one object, or a `List`. */
export type ObjectPrinter = (object: ApiObject) => string;

export interface OutputChoice {
  /** Undefined for tables. */
  readonly printer: ObjectPrinter | undefined;
  readonly wide: boolean;
}

/** Reads `-o`. `formats` are those that the command has. @throws CommandError for another one. */
export function outputOf(output: string | undefined, formats: readonly string[]): OutputChoice {
  if (output === undefined || output === '') return { printer: undefined, wide: false };
  const [format = '', ...rest] = output.split('=');
  if (!formats.includes(format)) {
    throw new CommandError(
      `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${formats.join(',')}`,
    );
  }
  if (format === 'wide') return { printer: undefined, wide: true };
  return { printer: printerOf(format, rest.join('=')), wide: false };
}

function printerOf(format: string, template: string): ObjectPrinter {
  switch (format) {
    case 'json':
      return (object) => `${indentedJson(withoutManagedFields(object))}\n`;
    case 'yaml':
      return (object) => objectYaml(withoutManagedFields(object));
    case 'name':
      return (object) =>
        each(object)
          .map((item) => `${nameOf(item)}\n`)
          .join('');
    default: {
      if (template === '') throw new CommandError('template format specified but no template given');
      const parsed = parseJsonPath(template);
      return (object) => renderJsonPath(parsed, object);
    }
  }
}

/** JSON as Go's MarshalIndent writes it, which escapes `<`, `>` and `&`. */
function indentedJson(object: unknown): string {
  return JSON.stringify(sortedKeys(object), undefined, 4).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Who owns which field says nothing to a person. */
function withoutManagedFields(object: ApiObject): ApiObject {
  if (object.kind === 'List') return { ...object, items: each(object).map(withoutManagedFields) } as ApiObject;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function each(object: ApiObject): readonly ApiObject[] {
  return object.kind === 'List' ? (object.items as readonly ApiObject[]) : [object];
}

/** `pod/web`, as `-o name` prints it. */
export function nameOf({ kind = '', metadata }: ApiObject): string {
  return `${kind.toLowerCase()}/${metadata.name ?? ''}`;
}
