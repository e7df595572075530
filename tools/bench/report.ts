import type { FloorResult } from './floor.js';
import type { BenchOptions } from './options.js';
import type { ClusterRoundResult } from './cluster-round.js';
import type { StaticRoundResult } from './static-pods.js';

/** Label, field, unit, and the floor's field to compare with. */
type Row<T> = readonly [label: string, key: keyof T & string, unit: string, floorKey?: keyof FloorResult];

export interface Report<T> {
  readonly options: BenchOptions;
  readonly what: string;
  readonly rows: readonly Row<T>[];
  readonly floor: FloorResult | undefined;
  readonly rounds: readonly T[];
  /** Column heads of the rounds. Default: their numbers. */
  readonly columns?: readonly string[];
}

export const staticRows: readonly Row<StaticRoundResult>[] = [
  ['start of the process', 'upSeconds', 's'],
  ['CPU of this start', 'upCpuSeconds', 's'],
  ['all containers started', 'startedAllSeconds', 's', 'allSeconds'],
  ['median container started', 'startedMedianSeconds', 's', 'medianSeconds'],
  ['all pods ready', 'readyAllSeconds', 's'],
  ['CPU while starting', 'startCpuSeconds', 's'],
  ['CPU while idle', 'idleCpuPercent', '% of a core'],
  ['memory (RSS) without pods', 'emptyRssMiB', 'MiB'],
  ['memory (RSS) while idle', 'rssMiB', 'MiB'],
  ['  of it in no file', 'anonymousMiB', 'MiB'],
  ['memory (PSS) while idle', 'pssMiB', 'MiB'],
  ['memory (RSS), peak', 'peakRssMiB', 'MiB'],
  ['all containers gone', 'removedSeconds', 's', 'removedSeconds'],
  ['CPU while removing', 'removeCpuSeconds', 's'],
];

export const clusterRows: readonly Row<ClusterRoundResult>[] = [
  ['all pods ready', 'readyAllSeconds', 's', 'allSeconds'],
  ['median pod ready', 'readyMedianSeconds', 's', 'medianSeconds'],
  ['CPU while starting', 'startCpuSeconds', 's'],
  ['CPU while idle', 'idleCpuPercent', '% of a core'],
  ['memory (RSS) while idle', 'rssMiB', 'MiB'],
  ['memory (RSS), peak', 'peakRssMiB', 'MiB'],
  ['all pods gone', 'goneAllSeconds', 's', 'removedSeconds'],
  ['CPU while removing', 'removeCpuSeconds', 's'],
];

/** Prints a table to stderr and one JSON line to stdout. */
export function printReport<T extends object>({ options, what, rows, floor, rounds, columns }: Report<T>): void {
  const number = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2)).padStart(9);
  const head = ['bare CRI', ...rounds.map((_, index) => columns?.[index] ?? `round ${index + 1}`)]
    .map((text) => text.padStart(9))
    .join(' ');
  const lines = rows.map(([label, key, unit, floorKey]) => {
    const cells = [
      floorKey === undefined ? undefined : floor?.[floorKey],
      ...rounds.map((round) => Number(round[key])),
    ];
    return `${label.padEnd(26)} ${cells.map(number).join(' ')}  ${unit}`;
  });
  process.stderr.write(`${options.pods} ${what}\n${''.padEnd(26)} ${head}\n${lines.join('\n')}\n`);
  process.stdout.write(`${JSON.stringify({ pods: options.pods, gapMs: options.gapMs, floor, columns, rounds })}\n`);
}
