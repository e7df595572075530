import type { FloorResult } from './floor.js';
import type { BenchOptions } from './options.js';
import type { ClusterResult } from './cluster-pods.js';
import { median } from './quantile.js';
import type { StaticRoundResult } from './static-pods.js';

/** What every round has: calls per pod, by kind. */
interface Calls {
  readonly startCalls: Readonly<Record<string, number>>;
  readonly removeCalls: Readonly<Record<string, number>>;
}

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

export const clusterRows: readonly Row<ClusterResult>[] = [
  ['start to Ready', 'nodeReadySeconds', 's'],
  ['all pods ready', 'readyAllSeconds', 's', 'allSeconds'],
  ['median pod ready', 'readyMedianSeconds', 's', 'medianSeconds'],
  ['99th of 100 pods ready', 'readyP99Seconds', 's'],
  ['CPU while starting', 'startCpuSeconds', 's'],
  ['  of the whole machine', 'machineStartCpuSeconds', 's'],
  ['  stolen by other machines', 'stolenSeconds', 's'],
  ['CPU while idle', 'idleCpuPercent', '% of a core'],
  ['memory (RSS) without pods', 'emptyRssMiB', 'MiB'],
  ['memory (RSS) while idle', 'rssMiB', 'MiB'],
  ['memory (RSS), peak', 'peakRssMiB', 'MiB'],
  ['all pods gone', 'goneAllSeconds', 's', 'removedSeconds'],
  ['CPU while removing', 'removeCpuSeconds', 's'],
  ['  of the whole machine', 'machineRemoveCpuSeconds', 's'],
];

const cell = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2)).padStart(9);

/** Prints a table to stderr and one JSON line to stdout. */
export function printReport<T extends Calls>({ options, what, rows, floor, rounds, columns }: Report<T>): void {
  const heads = ['bare CRI', ...rounds.map((_, index) => columns?.[index] ?? `round ${index + 1}`)];
  const lines = rows.map(([label, key, unit, floorKey]) => {
    const bare = floorKey === undefined ? undefined : floor?.[floorKey];
    return tableLine(label, [bare, ...rounds.map((round) => Number(round[key]))], unit);
  });
  const calls = callLines(rounds, (values) => [undefined, ...values]);
  printTable(`${options.pods} ${what}`, heads, [...lines, ...calls]);
  process.stdout.write(`${JSON.stringify({ pods: options.pods, gapMs: options.gapMs, floor, columns, rounds })}\n`);
}

/** The alternating rounds of two kubelets. */
export interface Comparison<T> extends Pick<Report<T>, 'options' | 'what' | 'rows'> {
  readonly ours: readonly T[];
  /** As many as ours; each ran right after its counterpart. */
  readonly theirs: readonly T[];
}

/** Prints medians of both kubelets and the ratios of the rounds, and one JSON line to stdout. */
export function printComparison<T extends Calls>({ options, what, rows, ours, theirs }: Comparison<T>): void {
  const middle = (values: readonly number[]): number => median([...values].sort((left, right) => left - right));
  const lines = rows.map(([label, key, unit]) => {
    const [left, right] = [ours, theirs].map((rounds) => rounds.map((round) => Number(round[key]))) as [
      number[],
      number[],
    ];
    const ratios = left.map((value, index) => value / (right[index] ?? NaN));
    return tableLine(
      label,
      [middle(left), middle(right), middle(ratios), Math.min(...ratios), Math.max(...ratios)],
      unit,
    );
  });
  const calls = callLines([...ours, ...theirs], (values) => {
    const [left, right] = [middle(values.slice(0, ours.length)), middle(values.slice(ours.length))];
    return [left, right, left / right];
  });
  const heads = ['this', 'against', 'ratio', 'least', 'most'];
  printTable(`${options.pods} ${what}, ${ours.length} rounds of each`, heads, [...lines, ...calls]);
  process.stdout.write(`${JSON.stringify({ pods: options.pods, gapMs: options.gapMs, ours, theirs })}\n`);
}

function callLines(
  rounds: readonly Calls[],
  cells: (values: readonly number[]) => readonly (number | undefined)[],
): readonly string[] {
  const section = (head: string, of: (round: Calls) => Readonly<Record<string, number>>): readonly string[] => {
    const names = [...new Set(rounds.flatMap((round) => Object.keys(of(round))))].sort();
    return [
      head,
      ...names.map((name) => tableLine(`  ${name}`, cells(rounds.map((round) => of(round)[name] ?? 0)), '')),
    ];
  };
  return [
    ...section('calls per pod, to readiness', ({ startCalls }) => startCalls),
    ...section('calls per pod, to the end', ({ removeCalls }) => removeCalls),
  ];
}

const tableLine = (label: string, cells: readonly (number | undefined)[], unit: string): string =>
  `${label.padEnd(32)} ${cells.map(cell).join(' ')}  ${unit}`.trimEnd();

function printTable(what: string, heads: readonly string[], lines: readonly string[]): void {
  const head = heads.map((text) => text.padStart(9)).join(' ');
  process.stderr.write(`${what}\n${''.padEnd(32)} ${head}\n${lines.join('\n')}\n`);
}
