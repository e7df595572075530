import { KubeletError, messageOf } from '@podwright/errors';
import type { Pod } from '../objects.js';
import { readDocument } from './document-reader.js';
import { decodeWithSchema } from './schema-decoder.js';
import { pod, podList } from './schemas/pod.js';
import type { DecodeFault, SourceObject, SourceValue } from './source-value.js';
import { describeValue, formatFault, isSourceObject } from './source-value.js';

/** An API server takes no request over 3 MiB, so a larger manifest can be no pod; parsing it would stall the process. */
export const maxManifestBytes = 3 * 1024 * 1024;
/** The URL source may deliver many pods; upstream reads up to this much of anything. */
export const maxPodListBytes = 10 * 1024 * 1024;
/** Faults that one message lists. */
const maxListedFaults = 10;

/**
 * One Pod out of a manifest file, YAML or JSON, read strictly: an unknown field, a duplicate key or a wrong type refuses
 * the file, and the message lists every such fault with its field path. Neither defaulted nor validated.
 * @param fileName stands at the head of the message.
 * @throws KubeletError `invalid-argument`.
 */
export function decodePodManifest(content: Uint8Array | string, fileName: string): Pod {
  return named(fileName, () => {
    const { value, faults } = read(content, maxManifestBytes);
    if (value.kind === 'PodList' || value.kind === 'List') {
      throw invalid(`holds a ${String(value.kind)}; a manifest file holds one Pod`);
    }
    requireKind(value, 'Pod');
    return decodePod(value, faults);
  });
}

/**
 * The pods of a URL source: a single Pod or a PodList. Strict as {@link decodePodManifest}; one bad pod refuses all,
 * because half a list would look like deleted pods.
 * @param source the URL, for the message. @throws KubeletError `invalid-argument`.
 */
export function decodePodList(content: Uint8Array | string, source: string): readonly Pod[] {
  return named(source, () => {
    const { value, faults } = read(content, maxPodListBytes);
    if (value.kind !== 'PodList') {
      requireKind(value, 'Pod');
      return [decodePod(value, faults)];
    }
    requireKind(value, 'PodList');
    const decoded = decodeWithSchema(podList, value);
    refuse([...faults, ...decoded.faults]);
    const { items } = decoded.value as { readonly items: readonly Pod[] };
    // In a list the items need no type of their own, but a wrong one is a mistake.
    items.forEach((item, index) => {
      if ((item.kind ?? 'Pod') !== 'Pod' || (item.apiVersion ?? 'v1') !== 'v1') {
        throw invalid(`items[${index}]: expected a v1 Pod, got ${item.apiVersion ?? 'v1'} ${item.kind ?? 'Pod'}`);
      }
    });
    return items.map((item) => ({ ...item, apiVersion: 'v1', kind: 'Pod' }));
  });
}

function decodePod(value: SourceObject, faults: readonly DecodeFault[]): Pod {
  const decoded = decodeWithSchema(pod, value);
  refuse([...faults, ...decoded.faults]);
  return decoded.value as Pod;
}

function read(content: Uint8Array | string, maxBytes: number): { value: SourceObject; faults: readonly DecodeFault[] } {
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  if (bytes > maxBytes) throw invalid(`is ${bytes} bytes long; at most ${maxBytes} are read`);
  const { value, faults } = readDocument(content);
  if (value === null) throw invalid('is empty');
  if (!isSourceObject(value)) throw invalid(`expected an object with apiVersion and kind, got ${describeValue(value)}`);
  return { value, faults };
}

function requireKind(value: SourceObject, kind: string): void {
  requireText(value.apiVersion, 'apiVersion', 'v1');
  requireText(value.kind, 'kind', kind);
}

function requireText(value: SourceValue | undefined, field: string, wanted: string): void {
  if (value === wanted) return;
  const got = value === undefined ? 'is not set' : `got ${describeValue(value)}`;
  throw invalid(value === undefined ? `${field} ${got}, expected ${wanted}` : `${field}: expected ${wanted}, ${got}`);
}

function refuse(faults: readonly DecodeFault[]): void {
  if (faults.length === 0) return;
  const listed = faults.slice(0, maxListedFaults).map(formatFault);
  const more = faults.length > listed.length ? `; and ${faults.length - listed.length} more` : '';
  throw invalid(`${listed.join('; ')}${more}`);
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}

function named<T>(source: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new KubeletError(`${source}: ${messageOf(error)}`, { code: 'invalid-argument', cause: error });
  }
}
