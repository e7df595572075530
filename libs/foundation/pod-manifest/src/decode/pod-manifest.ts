import { KubeletError, messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { readDocument, readDocuments } from './document-reader.js';
import { decodeWithSchema } from './schema-decoder.js';
import { pod, podList } from './schemas/pod.js';
import type { DecodeFault, SourceDocument, SourceObject, SourceValue } from './source-value.js';
import { describeDocument, describeValue, formatFault, isSourceObject } from './source-value.js';

/**
 * The API server accepts no request over 3 MiB, so no pod is larger; parsing a larger manifest would stall the process.
 */
export const maxManifestBytes = 3 * 1024 * 1024;
/** A URL source may return many pods; upstream reads at most this much. */
export const maxPodListBytes = 10 * 1024 * 1024;
/** The most faults that one message lists. */
const maxListedFaults = 10;

/**
 * Is told, in one message that begins with the source, what of it is ignored: unknown fields, all but the last of equal
 * keys, documents after the first.
 */
export type OnIgnored = (message: string) => void;

/**
 * Decodes the Pod of a manifest file, YAML or JSON. It rejects wrong types, and, without `onIgnored`, unknown fields,
 * duplicate keys and further documents. The pod is neither defaulted nor validated.
 * @param fileName begins the error message.
 * @throws KubeletError `invalid-argument` that lists the first ten faults with their field paths.
 */
export function decodePodManifest(content: Uint8Array | string, fileName: string, onIgnored?: OnIgnored): Pod {
  const ignore = naming(fileName, onIgnored);
  return namingSource(fileName, () => {
    const { value, faults } = read(content, maxManifestBytes, ignore);
    if (value.kind === 'PodList' || value.kind === 'List') {
      throw invalid(`holds a ${String(value.kind)}; a manifest file holds one Pod`);
    }
    return decodePod({ value, faults }, ignore);
  });
}

/**
 * Decodes the pods of a URL source, a single Pod or a PodList, as {@link decodePodManifest} does. One bad pod
 * rejects the whole list, because missing pods would look deleted.
 * @param source the URL, which begins the error message.
 * @throws KubeletError `invalid-argument`.
 */
export function decodePodList(content: Uint8Array | string, source: string, onIgnored?: OnIgnored): readonly Pod[] {
  const ignore = naming(source, onIgnored);
  return namingSource(source, () => {
    const { value, faults } = read(content, maxPodListBytes, ignore);
    if (value.kind !== 'PodList') {
      return [decodePod({ value, faults }, ignore)];
    }
    requireKind(value, 'PodList');
    const decoded = decodeWithSchema(podList, value);
    settleFaults([...faults, ...decoded.faults], ignore);
    const { items } = decoded.value as { readonly items: readonly Pod[] };
    // List items may leave out their kind and apiVersion, but wrong ones are an error.
    items.forEach((item, index) => {
      if ((item.kind ?? 'Pod') !== 'Pod' || (item.apiVersion ?? 'v1') !== 'v1') {
        throw invalid(`items[${index}]: expected a v1 Pod, got ${item.apiVersion ?? 'v1'} ${item.kind ?? 'Pod'}`);
      }
    });
    return items.map((item) => ({ ...item, apiVersion: 'v1', kind: 'Pod' }));
  });
}

/**
 * Decodes a v1 Pod as {@link decodePodManifest} does.
 * @throws KubeletError `invalid-argument` that lists the first ten faults.
 */
export function decodePod({ value, faults }: SourceDocument, onIgnored?: OnIgnored): Pod {
  if (!isSourceObject(value))
    throw invalid(`expected an object with apiVersion and kind, got ${describeDocument(value)}`);
  requireKind(value, 'Pod');
  const decoded = decodeWithSchema(pod, value);
  settleFaults([...faults, ...decoded.faults], onIgnored);
  return decoded.value as Pod;
}

function read(
  content: Uint8Array | string,
  maxBytes: number,
  onIgnored: OnIgnored | undefined,
): { value: SourceObject; faults: readonly DecodeFault[] } {
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  if (bytes > maxBytes) throw invalid(`is ${bytes} bytes long; at most ${maxBytes} are read`);
  const { value, faults } = onIgnored === undefined ? readDocument(content) : readFirstDocument(content);
  if (value === null) throw invalid('is empty');
  if (!isSourceObject(value))
    throw invalid(`expected an object with apiVersion and kind, got ${describeDocument(value)}`);
  return { value, faults };
}

/** @throws KubeletError `invalid-argument` when the document is no v1 object of this kind. */
export function requireKind(value: SourceObject, kind: string): void {
  requireText(value.apiVersion, 'apiVersion', 'v1');
  requireText(value.kind, 'kind', kind);
}

function requireText(value: SourceValue | undefined, field: string, wanted: string): void {
  if (value === wanted) return;
  const got = value === undefined ? 'is not set' : `got ${describeValue(value)}`;
  throw invalid(value === undefined ? `${field} ${got}, expected ${wanted}` : `${field}: expected ${wanted}, ${got}`);
}

function readFirstDocument(content: Uint8Array | string): SourceDocument {
  const [first, ...others] = readDocuments(content);
  if (first === undefined) return { value: null, faults: [] };
  if (others.length === 0) return first;
  const message = `holds ${others.length + 1} documents separated by '---', of which only the first is read`;
  return { value: first.value, faults: [...first.faults, { kind: 'further-document', path: '', message }] };
}

/** @throws KubeletError `invalid-argument` that lists the first ten faults. */
export function refuseFaults(faults: readonly DecodeFault[]): void {
  if (faults.length > 0) throw invalid(listFaults(faults));
}

function settleFaults(faults: readonly DecodeFault[], onIgnored: OnIgnored | undefined): void {
  if (onIgnored === undefined) return refuseFaults(faults);
  refuseFaults(faults.filter(({ kind }) => kind === 'type'));
  if (faults.length > 0) onIgnored(listFaults(faults));
}

function listFaults(faults: readonly DecodeFault[]): string {
  const listed = faults.slice(0, maxListedFaults).map(formatFault);
  const more = faults.length > listed.length ? `; and ${faults.length - listed.length} more` : '';
  return `${listed.join('; ')}${more}`;
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}

const naming = (source: string, onIgnored: OnIgnored | undefined): OnIgnored | undefined =>
  onIgnored && ((message) => onIgnored(`${source}: ${message}`));

/** Runs `decode` and prefixes its error with the source. Throws `invalid-argument`. */
export function namingSource<T>(source: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new KubeletError(`${source}: ${messageOf(error)}`, { code: 'invalid-argument', cause: error });
  }
}
