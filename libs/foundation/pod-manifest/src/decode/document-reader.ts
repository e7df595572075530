import { KubeletError } from '@podwright/errors';
import { readJson } from './json-reader.js';
import type { SourceDocument } from './source-value.js';
import { readFirstYaml, readYaml, readYamlStream, type FirstDocument } from './yaml-reader.js';

/** YAML takes about a second per MiB to parse, which stalls the event loop; no real object comes near this size. */
const maxYamlBytes = 1024 * 1024;

/**
 * Parses one YAML or JSON document. Text that starts with `{` is JSON: as upstream, it is not read as YAML in flow style.
 * @throws KubeletError `invalid-argument` with the line of the fault.
 */
export function readDocument(content: Uint8Array | string): SourceDocument {
  return readWith(decodeText(content), readYaml, readJson);
}

/**
 * Parses the first YAML document of a file, or its one JSON document, as {@link readDocument}. As upstream's, it never
 * reads the others: they may be any text.
 * @throws KubeletError `invalid-argument` with the line of the fault.
 */
export function readFirstDocument(content: Uint8Array | string): FirstDocument {
  return readWith(decodeText(content), readFirstYaml, (text) => ({ ...readJson(text), hasMore: false }));
}

/**
 * Parses the YAML documents of a file, or its one JSON document, as {@link readDocument}. Empty ones are left out.
 * @throws KubeletError `invalid-argument` with the line of the fault.
 */
export function readDocuments(content: Uint8Array | string): readonly SourceDocument[] {
  return readWith(decodeText(content), readYamlStream, (text) => [readJson(text)]);
}

function readWith<T>(text: string, yaml: (text: string) => T, json: (text: string) => T): T {
  // Source: kubernetes v1.36 apimachinery/pkg/util/yaml/decoder.go IsJSONBuffer; the spaces are those of Go.
  if (/^[\s\u0085]*\{/.test(text)) return json(text);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxYamlBytes) {
    throw new KubeletError(`is ${bytes} bytes of YAML; at most ${maxYamlBytes} are read`, { code: 'invalid-argument' });
  }
  return yaml(text);
}

function decodeText(content: Uint8Array | string): string {
  if (typeof content === 'string') return content.replace(/^\uFEFF/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new KubeletError('not UTF-8 text', { code: 'invalid-argument', cause: error });
  }
}
