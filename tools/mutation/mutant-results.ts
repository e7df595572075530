/** What became of one mutant. `explained`: a comment in the code says why no case can notice it. */
export type MutantOutcome = 'killed' | 'survived' | 'explained' | 'invalid';

export interface MutantResult {
  readonly outcome: MutantOutcome;
  /** Relative to the package, with line and column. */
  readonly place: string;
  /** What the code was, and what the mutant is. */
  readonly change: string;
  readonly line: number;
}

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly status: string;
          readonly replacement?: string;
          readonly location: { readonly start: Position; readonly end: Position };
        }[];
      }
    >
  >;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const outcomes: Readonly<Record<string, MutantOutcome>> = {
  Killed: 'killed',
  Timeout: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
  Ignored: 'explained',
};

/** Reads Stryker's JSON report. */
export function readReport(text: string): readonly MutantResult[] {
  const { files } = JSON.parse(text) as Report;
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, replacement = '', location: { start, end } }) => ({
      outcome: outcomes[status] ?? 'invalid',
      place: `${file}:${start.line}:${start.column}`,
      change: `${oneLine(textBetween(source, start, end))}  ->  ${oneLine(replacement)}`,
      line: start.line,
    })),
  );
}

function textBetween(source: string, start: Position, end: Position): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n');
}

const longest = 90;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest)} ...` : line;
}
