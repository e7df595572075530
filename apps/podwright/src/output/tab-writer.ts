export interface TabWriterOptions {
  readonly minWidth: number;
  readonly padding: number;
  /** Columns of later blocks are at least as wide as those of earlier ones, as a watch needs it. */
  readonly rememberWidths?: boolean;
}

/** Columns as kubectl's tables have them. Source: kubernetes v1.36 cli-runtime/pkg/printers/tabwriter.go. */
export const tableColumns: TabWriterOptions = { minWidth: 6, padding: 3, rememberWidths: true };
/** Columns as `kubectl describe` has them. Source: kubernetes v1.36 kubectl/pkg/describe/describe.go tabbedString. */
export const describeColumns: TabWriterOptions = { minWidth: 0, padding: 2 };

/**
 * Aligns text whose cells end with tabs. A column is a block of adjacent lines that have the cell; the last cell of a
 * line belongs to no column. Source: Go text/tabwriter, github.com/liggitt/tabwriter (remembered widths).
 */
export class TabWriter {
  private readonly maxWidths: number[] = [];
  private text = '';

  constructor(private readonly options: TabWriterOptions) {}

  /** Control sequences of a terminal are made visible, so that no object can act on it. */
  write(text: string): void {
    this.text += text.replaceAll('\u001b', '^[').replaceAll('\r', '\\r');
  }

  /** Returns what was written since the last flush, aligned; later text starts new columns. */
  flush(): string {
    const lines = this.text.split('\n').map((line) => line.split(/[\t\v]/));
    this.text = '';
    const widths = lines.map((): number[] => []);
    this.measure(lines, widths, { column: 0, from: 0, to: lines.length });
    return lines.map((cells, row) => cells.map((cell, at) => padded(cell, widths[row]?.[at])).join('')).join('\n');
  }

  private measure(lines: readonly string[][], widths: number[][], { column, from, to }: Block): void {
    const hasCell = (row: number): boolean => column < (lines[row]?.length ?? 0) - 1;
    for (let row = from; row < to;) {
      if (!hasCell(row)) {
        row += 1;
        continue;
      }
      const start = row;
      let width = this.options.minWidth;
      for (; row < to && hasCell(row); row += 1) {
        width = Math.max(width, lengthOf(lines[row]?.[column] ?? '') + this.options.padding);
      }
      if (this.options.rememberWidths === true) {
        width = this.maxWidths[column] = Math.max(width, this.maxWidths[column] ?? 0);
      }
      for (let inside = start; inside < row; inside += 1) widths[inside]?.push(width);
      this.measure(lines, widths, { column: column + 1, from: start, to: row });
    }
  }
}

interface Block {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

const lengthOf = (text: string): number => [...text].length;

function padded(cell: string, width: number | undefined): string {
  return width === undefined ? cell : cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
}
