import type { AssemblyFault } from '@podwright/assembly-interface';
import { isJsonObject } from '@podwright/kube-types';

/** One change that the assembly file makes. `field` is its path in the file, for messages. */
export type AssemblyChange =
  | {
      readonly kind: 'replace';
      readonly name: string;
      readonly specifier: string;
      readonly config?: ModuleOptions;
      readonly field: string;
    }
  | { readonly kind: 'add'; readonly specifier: string; readonly config?: ModuleOptions; readonly field: string }
  | { readonly kind: 'omit'; readonly name: string; readonly field: string }
  | { readonly kind: 'configure'; readonly name: string; readonly config: ModuleOptions; readonly field: string };

export type ModuleOptions = Readonly<Record<string, unknown>>;

export interface DecodedAssemblyFile {
  readonly changes: readonly AssemblyChange[];
  readonly faults: readonly AssemblyFault[];
}

export const assemblyApiVersion = 'assembly.podwright.dev/v1alpha1';

/** The other keys of an entry, by the key that says what the entry does. */
const entryShapes = {
  replace: { required: ['with'], optional: ['config'] },
  add: { required: [], optional: ['config'] },
  omit: { required: [], optional: [] },
  name: { required: ['config'], optional: [] },
} as const;
type EntryVerb = keyof typeof entryShapes;
const verbs = Object.keys(entryShapes) as EntryVerb[];

/**
 * Decodes a parsed assembly file strictly. Faults name file, field and value; entries without a fault become changes.
 */
export function decodeAssemblyFile(file: string, content: unknown): DecodedAssemblyFile {
  const faults: AssemblyFault[] = [];
  const changes: AssemblyChange[] = [];
  const fault = (field: string, value: unknown, problem: string): void => {
    const shown = value === undefined ? 'nothing' : JSON.stringify(value);
    const place = field === '' ? file : `${file}: ${field}`;
    faults.push({ kind: 'bad-file', field, value, message: `${place} ${problem}, found ${shown}` });
  };

  if (!isJsonObject(content)) {
    fault('', content, 'must hold one object');
    return { changes, faults };
  }
  for (const key of Object.keys(content)) {
    if (!['apiVersion', 'kind', 'modules'].includes(key)) fault(key, content[key], 'is no field of an assembly file');
  }
  if (content['apiVersion'] !== assemblyApiVersion)
    fault('apiVersion', content['apiVersion'], `must be ${assemblyApiVersion}`);
  if (content['kind'] !== 'Assembly') fault('kind', content['kind'], 'must be Assembly');
  const entries = content['modules'] ?? [];
  if (!Array.isArray(entries)) {
    fault('modules', entries, 'must be a list');
    return { changes, faults };
  }
  entries.forEach((entry: unknown, index) => {
    const change = decodeEntry(entry, `modules[${index}]`, fault);
    if (change !== undefined) changes.push(change);
  });
  return { changes, faults };
}

function decodeEntry(
  entry: unknown,
  field: string,
  fault: (field: string, value: unknown, problem: string) => void,
): AssemblyChange | undefined {
  if (!isJsonObject(entry)) return void fault(field, entry, 'must be an object');
  const given = verbs.filter((verb) => Object.hasOwn(entry, verb));
  const [verb] = given;
  if (verb === undefined || given.length > 1) {
    return void fault(field, entry, `must have exactly one of ${verbs.join(', ')}`);
  }
  const shape = entryShapes[verb];
  let good = true;
  const bad = (key: string, problem: string): void => {
    good = false;
    fault(`${field}.${key}`, entry[key], problem);
  };
  const allowed: readonly string[] = [verb, ...shape.required, ...shape.optional];
  for (const key of Object.keys(entry))
    if (!allowed.includes(key)) bad(key, `is unknown beside ${verb}; known are ${allowed.join(', ')}`);
  for (const key of [verb, ...shape.required]) {
    const right = key === 'config' ? isJsonObject(entry[key]) : typeof entry[key] === 'string' && entry[key] !== '';
    if (!right) bad(key, key === 'config' ? 'must be an object of options' : 'must be a text');
  }
  const config = entry['config'];
  if (verb !== 'name' && config !== undefined && !isJsonObject(config)) bad('config', 'must be an object of options');
  if (!good) return undefined;
  const name = entry[verb] as string;
  const options = isJsonObject(config) ? { config } : {};
  switch (verb) {
    case 'replace':
      return { kind: 'replace', name, specifier: entry['with'] as string, ...options, field };
    case 'add':
      return { kind: 'add', specifier: name, ...options, field };
    case 'omit':
      return { kind: 'omit', name, field };
    case 'name':
      return { kind: 'configure', name, config: options.config ?? {}, field };
  }
}
