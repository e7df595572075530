/** Results of one tier. `reports` are printed: failures, and reasons for skipped tests. */
export interface TierResult {
  readonly tier: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  readonly reports: readonly string[];
}

/** One check that counts as one test. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Output of a failed check, or the reason of a skipped one. */
  readonly detail?: string;
}

export function tierOfChecks(tier: string, checks: readonly CheckResult[], seconds: number): TierResult {
  const count = (outcome: CheckResult['outcome']): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    tier,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    seconds,
    reports: checks.flatMap(({ name, outcome, detail = '' }) => {
      if (outcome === 'passed') return [];
      return outcome === 'failed' ? [`FAILED  ${name}\n${detail.trim()}`] : [`skipped ${name}: ${detail}`];
    }),
  };
}

/** The summary table, one line per tier. */
export function summaryTable(tiers: readonly TierResult[]): string {
  const rows = tiers.map(({ tier, passed, failed, skipped, seconds }) => [
    tier,
    String(passed),
    String(failed),
    String(skipped),
    seconds.toFixed(1),
  ]);
  const header = ['tier', 'passed', 'failed', 'skipped', 'seconds'];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [header, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** The last line of a run; other programs parse it. */
export function closingLine(tiers: readonly TierResult[]): string {
  const sum = (pick: (tier: TierResult) => number): number => tiers.reduce((total, tier) => total + pick(tier), 0);
  return `${sum((tier) => tier.passed)} passed, ${sum((tier) => tier.failed)} failed, ${sum((tier) => tier.skipped)} skipped`;
}
