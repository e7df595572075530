import { encodeCbor } from '@podwright/kube-cbor';
import type { ServerRequest } from '@podwright/server-interface';
import type { StructuredMediaType } from './negotiate-zpage.js';

/** Encodes as the API machinery does: JSON in one line or indented, YAML with sorted keys, CBOR. */
export async function encodeStructure(
  value: unknown,
  mediaType: StructuredMediaType,
  request: Pick<ServerRequest, 'headers' | 'query'>,
): Promise<string | Uint8Array> {
  if (mediaType === 'application/cbor') return encodeCbor(value);
  if (mediaType === 'application/json') {
    return wantsPretty(request) ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
  }
  // Loaded only now: the package is large and YAML is rarely requested.
  const { stringify } = await import('yaml');
  // Texts that readers of YAML 1.1 take for something else, such as times and `yes`, are in quotes, as Go writes them.
  return stringify(value, { version: '1.1', sortMapEntries: true, lineWidth: 0, indentSeq: false });
}

/** The query parameter `pretty` decides; without it, curl, Wget and browsers get indented JSON. */
function wantsPretty({ headers, query }: Pick<ServerRequest, 'headers' | 'query'>): boolean {
  const pretty = query.get('pretty');
  if (pretty !== null && pretty !== '') return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}
