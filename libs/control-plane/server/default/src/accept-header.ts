/** One media range of an Accept header, such as `text/*;q=0.5`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Parses an Accept header into its media ranges, the highest weight first. Skips malformed ranges; a weight that is not
 * a number counts as 0. Source: munnerz/goautoneg (ParseAccept), which Prometheus and the API machinery use.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  return header
    .split(',')
    .flatMap((part) => clause(part) ?? [])
    .sort((a, b) => b.weight - a.weight || stars(a) - stars(b));
}

function clause(part: string): AcceptClause | undefined {
  const [media = '', ...rest] = part.split(';');
  const [type = '', subtype = '', ...more] = media.split('/').map((text) => text.trim());
  if (more.length > 0 || (subtype === '' && type !== '*')) return undefined;
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  let weight = 1;
  for (const text of rest) {
    const [name = '', value, ...extra] = text.split('=');
    if (value === undefined || value === '' || extra.length > 0) continue;
    if (name.trim() === 'q') weight = /^[0-9.]+$/.test(value) ? Number(value) || 0 : 0;
    else parameters[name.trim()] = value.trim();
  }
  return { type, subtype: subtype === '' ? '*' : subtype, weight, parameters };
}

// At equal weight, an exact type comes before a wildcard.
const stars = ({ type, subtype }: AcceptClause): number => (type === '*' ? 2 : subtype === '*' ? 1 : 0);
