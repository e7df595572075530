/** What the guest says while it runs its cases, one JSON object per line. */
export type ReportLine =
  /** The program runs; `boot` counts from 0, after each reboot one more. */
  | { readonly type: 'up'; readonly boot: number; readonly uptimeSeconds: number }
  | { readonly type: 'begin'; readonly name: string }
  | {
      readonly type: 'end';
      readonly name: string;
      readonly seconds: number;
      /** Why it failed; not there when it passed. */
      readonly error?: string;
      /** Ends of the guest's logs, of a case that failed. */
      readonly log?: string;
    }
  /** Something for whoever looks on. */
  | { readonly type: 'note'; readonly text: string }
  /** There is nothing more to come. */
  | { readonly type: 'done' };

const TYPES: ReadonlySet<unknown> = new Set(['up', 'begin', 'end', 'note', 'done']);
const MAX_LINE_LENGTH = 1_000_000;

export function renderReportLine(line: ReportLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Puts lines together from the pieces they arrive in. What is no report line is left out: a machine may die in mid-word. */
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
