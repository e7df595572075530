import type { CaseResult } from './case-report.js';

/** What a case saw, for a reader who waits for it. */
export function renderCase(result: CaseResult): string {
  const { name, does, outcome, stayed, lost, flips, notes, wellSeconds, seconds } = result;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['done', [does]],
    ['stayed up', stayed],
    [outcome === 'not tried' ? 'why' : 'lost', lost.length === 0 ? ['nothing'] : lost],
    ['flipped', flips.length === 0 ? ['no readiness without cause'] : flips],
    ['all well', [wellSeconds === undefined ? 'not reached' : `after ${wellSeconds.toFixed(1)} s`]],
    ['notes', notes],
  ];
  const lines = rows.flatMap(([title, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? title : '').padEnd(10)}${text}`),
  );
  return [`${name}: ${outcome} (${seconds.toFixed(0)} s)`, ...lines, ''].join('\n');
}

/** One row per case, as a table of a Markdown page. */
export function renderTable(results: readonly CaseResult[]): string {
  const rows = results.map(({ name, does, outcome, lost, flips, wellSeconds }) => {
    const broken = [...lost, ...flips].map((text) => text.split('\n')[0] ?? '');
    const verdict = outcome === 'kept' ? 'nothing' : broken.join('; ');
    const well = wellSeconds === undefined ? '' : `${wellSeconds.toFixed(1)} s`;
    return `| \`${name}\` | ${does} | ${verdict.replaceAll('|', '/')} | ${well} |`;
  });
  return ['| case | what is done | lost or flipped | all well after |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
