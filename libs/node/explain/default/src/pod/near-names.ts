const mostNames = 5;

/** The most similar of the names, the nearest first: those with few changes of letters, or with a common beginning. */
export function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const [wantedNamespace = '', wantedName = ''] = wanted.split('/');
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(wantedNamespace, wantedName, name) }))
    .filter(({ distance }) => distance <= Math.max(2, wantedName.length / 3))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, mostNames)
    .map(({ name }) => name);
}

function distanceOf(wantedNamespace: string, wantedName: string, full: string): number {
  const [namespace = '', name = ''] = full.split('/');
  const elsewhere = namespace === wantedNamespace ? 0 : 0.5;
  // `web` is meant by who asks for `web-node-1`, and the other way round.
  if (name.startsWith(`${wantedName}-`) || wantedName.startsWith(`${name}-`)) return 0.4 + elsewhere;
  return changes(wantedName, name) + elsewhere;
}

/** Levenshtein's distance. Names have at most 253 characters. */
function changes(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
