/** Reports of the guest while it runs its cases, one JSON object per line. */
export type ReportLine =
  /** The program is running; `boot` is 0 at first and grows with each reboot. */
  | { readonly type: 'up'; readonly boot: number; readonly uptimeSeconds: number }
  | { readonly type: 'begin'; readonly name: string }
  | {
      readonly type: 'end';
      readonly name: string;
      readonly seconds: number;
      /** Why the case failed; absent when it passed. */
      readonly error?: string;
      /** Ends of the guest's logs, for a failed case. */
      readonly log?: string;
    }
  /** A message for the person who watches. */
  | { readonly type: 'note'; readonly text: string }
  /** The last line. */
  | { readonly type: 'done' };

const TYPES: ReadonlySet<unknown> = new Set(['up', 'begin', 'end', 'note', 'done']);
const MAX_LINE_LENGTH = 1_000_000;

export function renderReportLine(line: ReportLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Assembles lines from pieces and skips what is not a report: a machine may crash in the middle of a line. */
export class ReportReader {
  private rest = '';

  read(piece: string): ReportLine[] {
    const lines = `${this.rest}${piece}`.split('\n');
    this.rest = (lines.pop() ?? '').slice(-MAX_LINE_LENGTH);
    return lines.flatMap((line) => parseReportLine(line) ?? []);
  }
}

function parseReportLine(line: string): ReportLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const known = typeof value === 'object' && value !== null && 'type' in value && TYPES.has(value.type);
    return known ? (value as ReportLine) : undefined;
  } catch {
    return undefined;
  }
}
