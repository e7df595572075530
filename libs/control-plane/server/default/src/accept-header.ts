/** One wish of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The wishes of an Accept header, the strongest first; what is malformed is skipped, and a weight that is no number counts 0.
 * Source: munnerz/goautoneg (ParseAccept), which Prometheus and the API machinery read this header with.
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

// What is said exactly goes before what is left open.
const stars = ({ type, subtype }: AcceptClause): number => (type === '*' ? 2 : subtype === '*' ? 1 : 0);
