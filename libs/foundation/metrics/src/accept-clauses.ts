/** One clause of an Accept header. */
export interface AcceptClause {
  /** `text/plain`. */
  readonly mediaType: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

// Far more than any client sends; sorting them costs the square.
const maxClauses = 64;

/**
 * The clauses of an Accept header, the most wanted first. With its quirks (spaces only are trimmed, quotes are kept, a broken
 * clause is left out, a broken q is 0) like munnerz/goautoneg ParseAccept, whose order clients know. Clauses beyond the 64th
 * are ignored.
 */
export function acceptClauses(header: string): readonly AcceptClause[] {
  const sorted: AcceptClause[] = [];
  for (const part of header.split(',', maxClauses)) {
    const clause = readClause(trimSpaces(part));
    if (clause === undefined) continue;
    // By insertion: the order below is no order of mathematics, and this is how upstream's library sorts so few.
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
