import { KubeletError } from '@podwright/errors';
import { readJson } from './json-reader.js';
import type { SourceDocument } from './source-value.js';
import { readYaml } from './yaml-reader.js';

/** YAML takes about a second per MiB to parse, which stalls the event loop; no real object comes near this size. */
const maxYamlBytes = 1024 * 1024;

/**
 * Parses one YAML or JSON document. Text that starts with `{` is JSON, or else YAML in flow style.
 * @throws KubeletError `invalid-argument` with the line of the fault.
 */
export function readDocument(content: Uint8Array | string): SourceDocument {
  const text = decodeText(content);
  if (!/^\s*\{/.test(text)) return readBoundedYaml(text);
  try {
    return readJson(text);
  } catch (jsonError) {
    try {
      return readBoundedYaml(text);
    } catch {
      // The author probably meant JSON, so its fault is the one to report.
      throw jsonError;
    }
  }
}

function readBoundedYaml(text: string): SourceDocument {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxYamlBytes) {
    throw new KubeletError(`is ${bytes} bytes of YAML; at most ${maxYamlBytes} are read`, { code: 'invalid-argument' });
  }
  return readYaml(text);
}

function decodeText(content: Uint8Array | string): string {
  if (typeof content === 'string') return content.replace(/^\uFEFF/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new KubeletError('not UTF-8 text', { code: 'invalid-argument', cause: error });
  }
}
