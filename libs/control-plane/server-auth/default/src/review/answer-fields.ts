import { KubeletError } from '@podwright/errors';
import { isJsonObject, type JsonObject } from '@podwright/kube-types';

/**
 * Reads the fields of an answered review as Go's decoder does: null counts as absent, and a value of another type is
 * refused. An `allowed` of `"no"` must not count as true. Throws `data-loss` that names the field.
 */
export class AnswerFields {
  private readonly object: JsonObject;

  constructor(
    value: unknown,
    private readonly path: string,
  ) {
    const object = value ?? {};
    if (!isJsonObject(object)) throw malformed(path, 'no object');
    this.object = object;
  }

  flag(name: string): boolean {
    const value = this.object[name] ?? false;
    if (typeof value !== 'boolean') throw malformed(`${this.path}.${name}`, 'not true or false');
    return value;
  }

  /** Empty when it is absent. */
  text(name: string): string {
    return asText(this.object[name] ?? '', `${this.path}.${name}`);
  }

  texts(name: string): readonly string[] {
    return asTexts(this.object[name], `${this.path}.${name}`);
  }

  inner(name: string): AnswerFields {
    return new AnswerFields(this.object[name], `${this.path}.${name}`);
  }

  /** Undefined when there is no such field. */
  textsByName(name: string): Readonly<Record<string, readonly string[]>> | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined) return undefined;
    const path = `${this.path}.${name}`;
    if (!isJsonObject(value)) throw malformed(path, 'no object');
    return Object.fromEntries(Object.entries(value).map(([key, texts]) => [key, asTexts(texts, `${path}[${key}]`)]));
  }
}

function asTexts(value: unknown, path: string): readonly string[] {
  const texts = value ?? [];
  if (!Array.isArray(texts)) throw malformed(path, 'no list');
  return texts.map((text: unknown, index) => asText(text ?? '', `${path}[${index}]`));
}

function asText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw malformed(path, 'no text');
  return value;
}

function malformed(path: string, problem: string): KubeletError {
  return new KubeletError(`the API server's answer is malformed: ${path} is ${problem}`, { code: 'data-loss' });
}
