import type { Attack } from './attack.js';

/** How an attack ended. */
export interface AttackResult {
  readonly attack: Pick<Attack, 'name' | 'tries' | 'mustNot' | 'pastFault'>;
  readonly outcome: 'held' | 'broken' | 'not applicable' | 'not tried';
  /** Each harm, or why there is no verdict. */
  readonly reasons: readonly string[];
  readonly seconds: number;
}

const columns = ['case', 'outcome', 's', 'past fault', 'what it tries', 'what must not happen'] as const;
const widths = [24, 14, 5, 30, 46, 40] as const;
const shownReasons = 8;

/** The table, and below it each harm of the cases that did not hold. */
export function renderResults(results: readonly AttackResult[]): string {
  const rows = results.map(({ attack, outcome, seconds }) => [
    ...[attack.name, outcome, seconds.toFixed(0), attack.pastFault, attack.tries, attack.mustNot],
  ]);
  const lines = [columns, widths.map((width) => '-'.repeat(width)), ...rows].flatMap((row) => wrapped(row));
  const details = results
    .filter(({ reasons }) => reasons.length > 0)
    .map(({ attack, outcome, reasons }) => {
      const more = reasons.length > shownReasons ? [`and ${reasons.length - shownReasons} more`] : [];
      return `${attack.name}: ${outcome}\n${[...reasons.slice(0, shownReasons), ...more].map((line) => `  ${line}`).join('\n')}`;
    });
  const count = (wanted: AttackResult['outcome']): number => results.filter(({ outcome }) => outcome === wanted).length;
  const closing = (['held', 'broken', 'not applicable', 'not tried'] as const).map((each) => `${count(each)} ${each}`);
  return [...lines, '', ...details, ...(details.length > 0 ? [''] : []), closing.join(', ')].join('\n');
}

function wrapped(row: readonly string[]): string[] {
  const cells = row.map((text, index) => wrap(text, widths[index] ?? 1));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, index) => (cell[line] ?? '').padEnd(widths[index] ?? 1))
      .join('  ')
      .trimEnd(),
  );
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
