import type { ServerRequest } from '../../route.js';
import type { StructuredMediaType } from './negotiate-zpage.js';

/** JSON in one line, or laid out for people; YAML with sorted keys. As the API machinery's serializers write them. */
export async function encodeStructure(
  value: unknown,
  mediaType: StructuredMediaType,
  request: Pick<ServerRequest, 'headers' | 'query'>,
): Promise<string> {
  if (mediaType === 'application/json') {
    return wantsPretty(request) ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
  }
  // Seldom asked for, and large.
  const { stringify } = await import('yaml');
  return stringify(value, { sortMapEntries: true, lineWidth: 0 });
}

/** The query's `pretty` decides; without it the programs that people look at answers with. */
function wantsPretty({ headers, query }: Pick<ServerRequest, 'headers' | 'query'>): boolean {
  const pretty = query.get('pretty');
  if (pretty !== null && pretty !== '') return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(pretty);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}
