const quote = '"';
const missingQuote = 'extraneous or missing " in quoted-field';

/**
 * The fields of one line of comma-separated values. A field in quotes may have commas, and two quotes for one.
 * Source: Go's encoding/csv, by which upstream reads flags that take a list.
 * @throws Error with Go's words, columns in bytes.
 */
export function csvFields(line: string): readonly string[] {
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    let field = '';
    if (line[at] !== quote) {
      const comma = line.indexOf(',', at);
      const end = comma < 0 ? line.length : comma;
      field = line.slice(at, end);
      const bare = field.indexOf(quote);
      if (bare >= 0) throw fault(line, at + bare, 'bare " in non-quoted field');
      at = end;
    } else {
      for (at++; ; at++) {
        const end = line.indexOf(quote, at);
        if (end < 0) throw fault(line, line.length, missingQuote);
        field += line.slice(at, end);
        at = end + 1;
        if (line[at] !== quote) break;
        field += quote;
      }
      if (at < line.length && line[at] !== ',') throw fault(line, at - 1, missingQuote);
    }
    fields.push(field);
    if (at >= line.length) return fields;
  }
}

function fault(line: string, at: number, what: string): Error {
  return new Error(`parse error on line 1, column ${Buffer.byteLength(line.slice(0, at)) + 1}: ${what}`);
}
