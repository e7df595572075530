const mostSuggestions = 3;

/** The known names that are similar to a mistyped one, nearest first. */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  const wanted = withoutScope(name);
  return known
    .map((candidate) => ({ candidate, distance: distance(wanted, withoutScope(candidate)) }))
    .filter(({ distance, candidate }) => distance <= Math.max(2, Math.ceil(withoutScope(candidate).length / 3)))
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, mostSuggestions)
    .map(({ candidate }) => candidate);
}

// People forget the scope more often than they mistype it.
function withoutScope(name: string): string {
  return name.replace(/^@[^/]*\//, '').toLowerCase();
}

/** Levenshtein distance: the least number of letters to add, remove or change. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substituted));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
