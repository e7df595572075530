import type { FloorResult } from './floor.js';
import type { BenchOptions } from './options.js';
import type { RoundResult } from './round.js';

export interface Report {
  readonly options: BenchOptions;
  readonly floor: FloorResult | undefined;
  readonly rounds: readonly RoundResult[];
}

const rows: readonly (readonly [string, keyof RoundResult, string, (keyof FloorResult)?])[] = [
  ['all containers started', 'startedAllSeconds', 's', 'allSeconds'],
  ['median container started', 'startedMedianSeconds', 's', 'medianSeconds'],
  ['all pods ready', 'readyAllSeconds', 's'],
  ['CPU while starting', 'startCpuSeconds', 's'],
  ['CPU while idle', 'idleCpuPercent', '% of a core'],
  ['memory (RSS) while idle', 'rssMiB', 'MiB'],
  ['memory (RSS), peak', 'peakRssMiB', 'MiB'],
  ['all containers gone', 'removedSeconds', 's', 'removedSeconds'],
  ['CPU while removing', 'removeCpuSeconds', 's'],
];

/** A table for people on stderr, one JSON line on stdout. */
export function printReport({ options, floor, rounds }: Report): void {
  const number = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2)).padStart(9);
  const head = ['bare CRI', ...rounds.map((_, index) => `round ${index + 1}`)]
    .map((text) => text.padStart(9))
    .join(' ');
  const lines = rows.map(([label, key, unit, floorKey]) => {
    const cells = [floorKey === undefined ? undefined : floor?.[floorKey], ...rounds.map((round) => round[key])];
    return `${label.padEnd(26)} ${cells.map(number).join(' ')}  ${unit}`;
  });
  process.stderr.write(`${options.pods} one-container static pods\n${''.padEnd(26)} ${head}\n${lines.join('\n')}\n`);
  process.stdout.write(`${JSON.stringify({ pods: options.pods, gapMs: options.gapMs, floor, rounds })}\n`);
}
