/** Columns of a terminal; longer lines are wrapped. */
const width = 100;

/** Lines of one text: what containers and registries say must not push the rest off the screen. */
const mostLines = 12;

/**
 * Words into lines of at most `most` characters. Longer words, such as addresses, stay whole unless they fill several
 * lines. Lines beyond a few are left out.
 */
export function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const pieces = new RegExp(`.{1,${most}}`, 'gu');
  for (const word of printable(text)
    .split(' ')
    .flatMap((each) => (each.length > 3 * most ? (each.match(pieces) ?? []) : [each]))) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  const all = [...lines, line];
  if (all.length <= mostLines) return all;
  return [...all.slice(0, mostLines), `(and ${all.length - mostLines} more lines: --output=json has them)`];
}

/** One line without control characters and marks that turn the direction: texts come from containers and registries. */
export function printable(text: string): string {
  return text
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}

/** A label and its text, whose further lines are aligned; nothing for an empty text. */
export function labelled(label: string, text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  const indent = 12;
  const [first = '', ...rest] = wrapped(text, width - indent);
  return [`${label.padEnd(indent)}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)];
}

/** Rows below titles. The last column is wrapped; a table without rows prints nothing. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const clean = rows.map((row) => row.map(printable));
  const widths = titles.map(
    (title, column) => Math.max(title.length, ...clean.map((row) => (row[column] ?? '').length)) + 2,
  );
  const last = titles.length - 1;
  const indent = widths.slice(0, last).reduce((sum, each) => sum + each, 0);
  const lines = [titles, ...clean].flatMap((row) => {
    const [first = '', ...rest] = wrapped(row[last] ?? '', Math.max(20, width - indent));
    const leading = row.slice(0, last).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return [`${leading.join('')}${first}`.trimEnd(), ...rest.map((line) => `${' '.repeat(indent)}${line}`)];
  });
  return ['', ...lines];
}
