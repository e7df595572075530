import { format, inspect } from 'node:util';

/** The rows of an `it.each` table, each as the arguments to its case. */
export function rowsOf(table: readonly unknown[]): readonly (readonly unknown[])[] {
  return table.map((row) => (Array.isArray(row) ? (row as readonly unknown[]) : [row]));
}

/**
 * Formats the title of an `it.each` row as jest does: `%s`, `%i`, `%j` and the like take the row's values in order,
 * `%p` pretty-prints one, `%#` is the row's index, and `$name` is a field of a row that is an object.
 */
export function titleOfRow(template: string, row: readonly unknown[], index: number): string {
  let next = 0;
  const named = template.replaceAll(/\$([\w.]+)/g, (whole, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], row[0]);
    return value === undefined ? whole : inspect(value).replaceAll("'", '"');
  });
  return named.replaceAll(/%[sdifjoOp#%]/g, (placeholder) => {
    if (placeholder === '%%') return '%';
    if (placeholder === '%#') return String(index);
    if (next === row.length) return placeholder;
    const value = row[next++];
    return placeholder === '%p' ? inspect(value) : format(placeholder, value);
  });
}
