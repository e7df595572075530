import type { ApiObject } from '../client/resources.js';
import { TabWriter, tableColumns } from './tab-writer.js';

/** What a resource shows in a table. `wide` columns appear with `-o wide`. */
export interface TableColumns {
  readonly names: readonly string[];
  readonly wide: readonly string[];
  /** The cells of an object, those of the wide columns included. */
  cells(object: ApiObject, nowMs: number): readonly string[];
}

export interface TableOptions {
  readonly headers: boolean;
  readonly wide: boolean;
  readonly withNamespace: boolean;
  readonly showLabels: boolean;
  readonly labelColumns: readonly string[];
  /** Written before the name, as `pod/web`, when several kinds are shown. */
  readonly kindPrefix?: string;
}

/**
 * Prints objects of one resource, also piece by piece, as a watch needs it: the header comes once, and columns never
 * get narrower. Source: kubernetes v1.36 cli-runtime/pkg/printers/tableprinter.go.
 */
export class Table {
  private readonly writer = new TabWriter(tableColumns);
  private headerPrinted = false;

  constructor(
    private readonly columns: TableColumns,
    private readonly options: TableOptions,
  ) {}

  /** The rows as text, with the header before the first ones. */
  rows(objects: readonly ApiObject[], nowMs: number): string {
    if (objects.length === 0) return '';
    if (this.options.headers && !this.headerPrinted) this.line(this.header());
    this.headerPrinted = true;
    for (const object of objects) this.line(this.row(object, nowMs));
    return this.writer.flush();
  }

  private header(): readonly string[] {
    const { withNamespace, wide, labelColumns, showLabels } = this.options;
    return [
      ...(withNamespace ? ['NAMESPACE'] : []),
      ...[...this.columns.names, ...(wide ? this.columns.wide : [])].map((name) => name.toUpperCase()),
      ...labelColumns.map((label) => (label.split('/').at(-1) ?? label).toUpperCase()),
      ...(showLabels ? ['LABELS'] : []),
    ];
  }

  private row(object: ApiObject, nowMs: number): readonly string[] {
    const { withNamespace, wide, labelColumns, showLabels, kindPrefix } = this.options;
    const { namespace = '', labels } = object.metadata;
    const cells = this.columns
      .cells(object, nowMs)
      .slice(0, this.columns.names.length + (wide ? this.columns.wide.length : 0));
    const prefixed = cells.map((cell, index) =>
      index === 0 && kindPrefix !== undefined ? `${kindPrefix}/${cell}` : cell,
    );
    return [
      ...(withNamespace ? [namespace] : []),
      ...prefixed,
      ...labelColumns.map((label) => labels?.[label] ?? ''),
      ...(showLabels ? [formatLabels(labels)] : []),
    ];
  }

  private line(cells: readonly string[]): void {
    this.writer.write(`${cells.map(firstLine).join('\t')}\n`);
  }
}

/** `a=1,b=2`, sorted, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

function firstLine(cell: string): string {
  const end = cell.search(/[\f\n\r]/);
  return end === -1 ? cell : `${cell.slice(0, end)}...`;
}
