/** One clause of an Accept header. */
export interface AcceptClause {
  /** `text/plain`. */
  readonly mediaType: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

// Far more than any client sends; the bound is there because sorting takes quadratic time.
const maxClauses = 64;

/**
 * Parses an Accept header into its clauses, most preferred first; ignores clauses after the 64th. It matches
 * munnerz/goautoneg ParseAccept, including its quirks: it trims only spaces, keeps quotes, skips malformed clauses, and
 * reads a malformed q as 0.
 */
export function acceptClauses(header: string): readonly AcceptClause[] {
  const sorted: AcceptClause[] = [];
  for (const part of header.split(',', maxClauses)) {
    const clause = readClause(trimSpaces(part));
    if (clause === undefined) continue;
    // Insertion sort, as in upstream's library: the comparison is not transitive, so the algorithm decides the order.
    let place = sorted.length;
    for (; place > 0; place--) {
      const previous = sorted[place - 1];
      if (previous === undefined || !comesBefore(clause, previous)) break;
    }
    sorted.splice(place, 0, clause);
  }
  return sorted;
}

function readClause(part: string): AcceptClause | undefined {
  const [media = '', ...pairs] = part.split(';');
  const [type = '', subtype = '', ...more] = media.split('/').map(trimSpaces);
  if (more.length > 0 || (subtype === '' && type !== '*')) return undefined;
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const pair of pairs) {
    const [name = '', value = '', ...rest] = pair.split('=');
    if (value === '' || rest.length > 0) continue;
    if (trimSpaces(name) === 'q') quality = readQuality(value);
    else parameters.set(trimSpaces(name), trimSpaces(value));
  }
  return { mediaType: `${type}/${subtype === '' ? '*' : subtype}`, quality, parameters };
}

function readQuality(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : 0;
}

function comesBefore(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (!a.mediaType.startsWith('*/') && b.mediaType.startsWith('*/')) return true;
  return !a.mediaType.endsWith('/*') && b.mediaType.endsWith('/*');
}

function trimSpaces(text: string): string {
  return text.replace(/^ +/, '').replace(/ +$/, '');
}
