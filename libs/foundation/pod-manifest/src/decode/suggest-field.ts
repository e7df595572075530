/** A suggestion, ` (did you mean "image"?)`, for a key close to a known field, else the empty text. */
export function suggestField(key: string, fields: Readonly<Record<string, unknown>>): string {
  if (key.length > 60) return '';
  const wanted = key.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of Object.keys(fields)) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  // About a third of the letters may differ (two in `imgae`); a more distant suggestion would mislead.
  const near = best !== undefined && best.distance <= (key.length < 4 ? 1 : key.length < 8 ? 2 : 3);
  return near && best !== undefined ? ` (did you mean ${JSON.stringify(best.name)}?)` : '';
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
