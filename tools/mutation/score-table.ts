import type { MutantOutcome, MutantResult } from './mutant-results.js';

export interface PackageScore {
  readonly name: string;
  /** Per cent of the mutants that a case can notice. */
  readonly score: number;
  readonly killed: number;
  readonly survived: number;
  readonly explained: number;
}

export function scoreOf(name: string, mutants: readonly MutantResult[]): PackageScore {
  const count = (wanted: MutantOutcome): number => mutants.filter(({ outcome }) => outcome === wanted).length;
  const [killed, survived] = [count('killed'), count('survived')];
  const noticeable = killed + survived;
  return {
    name,
    score: noticeable === 0 ? 0 : (100 * killed) / noticeable,
    killed,
    survived,
    explained: count('explained'),
  };
}

/** The survivors, one line each, with the code and the mutant. */
export function renderSurvivors(mutants: readonly MutantResult[]): string {
  return mutants
    .filter(({ outcome }) => outcome === 'survived')
    .map(({ place, change }) => `  ${place}  ${change}`)
    .join('\n');
}

/** The table, as it stands in the README. */
export function renderScores(scores: readonly PackageScore[]): string {
  const header = ['package', 'score', 'killed', 'survived', 'explained'];
  const rows = scores.map(({ name, score, killed, survived, explained }) => [
    ...[name, `${score.toFixed(1)} %`, String(killed), String(survived), String(explained)],
  ]);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
