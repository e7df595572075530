import { messageOf } from '@podwright/errors';
import { isJsonObject, type JsonObject } from '@podwright/kube-types';
import { formatFault, readDocument, type SourceValue } from '@podwright/pod-manifest';
import { CommandError } from '../command-error.js';
import type { ManifestSource } from './read-sources.js';

/** An object as it stands in a manifest, and where. */
export interface ManifestObject {
  /** For messages: the file, or the file and the number of the document or item. */
  readonly place: string;
  readonly object: JsonObject;
}

/** The objects of a source: all documents, and the items of lists. @throws CommandError that names the place. */
export function readDocuments(source: ManifestSource): readonly ManifestObject[] {
  const texts = documentTexts(source.text);
  return texts.flatMap((text, index) => {
    const place = texts.length === 1 ? source.name : `${source.name}, document ${index + 1}`;
    const value = parsed(place, text);
    if (value === null) return [];
    if (!isJsonObject(value)) throw new CommandError(`${place}: is no object`);
    return itemsOf(place, value);
  });
}

/** Splits as kubectl does: at lines that start with `---`. */
function documentTexts(text: string): readonly string[] {
  if (/^\s*\{/.test(text)) return [text];
  const texts = text.replace(/^\uFEFF/, '').split(/^---(?:[ \t].*)?$/m);
  return texts.filter((each) => each.replace(/^\s*(#.*)?$/gm, '').trim() !== '');
}

function parsed(place: string, text: string): unknown {
  try {
    const { value, faults } = readDocument(text);
    const [fault] = faults;
    if (fault !== undefined) throw new CommandError(formatFault(fault));
    return plain(value);
  } catch (error) {
    throw new CommandError(`error parsing ${place}: ${messageOf(error)}`);
  }
}

/** Every object gets its prototype back; an integer that JSON's readers would round is a fault. */
function plain(value: SourceValue): unknown {
  if (typeof value === 'bigint') throw new CommandError(`the integer ${value} is too large`);
  if (Array.isArray(value)) return (value as readonly SourceValue[]).map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, plain(below as SourceValue)]));
}

function itemsOf(place: string, object: JsonObject): readonly ManifestObject[] {
  const { kind, items } = object;
  if (typeof kind !== 'string' || !kind.endsWith('List')) return [{ place, object }];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown, index) => {
    const at = `${place}, items[${index}]`;
    if (!isJsonObject(item)) throw new CommandError(`${at}: is no object`);
    // A PodList's items need not repeat what they are.
    const typed =
      kind === 'List' ? item : { apiVersion: object.apiVersion, kind: kind.slice(0, -'List'.length), ...item };
    return itemsOf(at, typed);
  });
}
