import type { TargetRun } from './run-target.js';

const columns = ['target', 'inputs', 'refused', 'branches', 'kept', 's of CPU', 'heap KiB', 'findings'] as const;

/** The table, and below it each finding with the file of its input. */
export function renderRuns(runs: readonly TargetRun[]): string {
  const rows = runs.map(({ name, inputs, refused, reached, branches, kept, cpuSeconds, grownBytes, findings }) => [
    ...[
      name,
      inputs,
      refused,
      `${reached} of ${branches}`,
      kept,
      Math.round(cpuSeconds),
      Math.round(grownBytes / 1024),
      findings.length,
    ].map(String),
  ]);
  const table = [columns, columns.map((column) => '-'.repeat(column.length)), ...rows];
  const widths = columns.map((_, index) => Math.max(...table.map((row) => (row[index] ?? '').length)));
  const lines = table.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const found = runs.flatMap(({ name, findings }) =>
    findings.map(({ kind, what, file }) => `${name}: ${kind}: ${what}\n  ${file}`),
  );
  return [...lines, ...(found.length > 0 ? ['', ...found] : [])].join('\n');
}
